import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the proof of the cluster puts down what it counted, as text (cluster-tests/testing/figures.ts). */
export function openFigures() {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-figures-'));
  const file = join(folder, 'figures.txt');
  return {
    env: { GALLERY_CLUSTER_FIGURES: file },
    print: () => existsSync(file) && console.log(readFileSync(file, 'utf8')),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
