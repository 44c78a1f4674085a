import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the file in which the cluster tests write their figures (cluster-tests/testing/figures.ts). */
export function openFigures() {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-figures-'));
  const file = join(folder, 'figures.txt');
  return {
    env: { GALLERY_CLUSTER_FIGURES: file },
    print: () => existsSync(file) && console.log(readFileSync(file, 'utf8')),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
