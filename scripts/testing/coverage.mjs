import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './compile.mjs';
import { countsIn, failuresIn } from './read-tap.mjs';

/** Runs the files with tap's own runner, which reports coverage (.taprc). */
export async function runWithCoverage(files, { env, signal }) {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-tap-'));
  const output = join(folder, 'output.tap');
  const words = [join(root, 'node_modules/tap/dist/esm/run.mjs'), 'run', '--reporter=terse', `--output-file=${output}`];
  try {
    const child = spawn(process.execPath, [...words, ...files], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'inherit',
      signal,
    });
    const code = await new Promise((resolve, reject) => {
      child.on('error', (error) => (error.name === 'AbortError' ? undefined : reject(error)));
      child.on('close', (status) => resolve(status ?? 1));
    });
    const text = signal.aborted ? '' : readFileSync(output, 'utf8');
    return { code, ...countsIn(text), leftOut: [], failures: failuresIn(text), slowest: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
