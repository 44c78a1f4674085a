import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './compile.mjs';

/**
 * Runs a script that ends with "N passed, N failed", and shows its output.
 * @param {string} script in scripts/
 * @param {string[]} words
 * @param {NodeJS.ProcessEnv} [env] its PATH chooses the Node
 * @returns {Promise<{ passed: number, failed: number, seconds: number }>}
 */
export function countTests(script, words, env = process.env) {
  const begun = performance.now();
  const child = spawn('node', [join(root, 'scripts', script), ...words], {
    cwd: root,
    env: { ...env, INIT_CWD: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let end = '';
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    end = (end + chunk).slice(-200);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const [, passed, failed] = /(\d+) passed, (\d+) failed\n$/.exec(end) ?? [undefined, 0, 1];
      const seconds = Math.round((performance.now() - begun) / 1000);
      resolve({ passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1), seconds });
    });
  });
}

/** Prints a line for each entry and, as the last line, "N passed, N failed". Sets the exit code. */
export function printCounts(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log();
  for (const { name, passed, failed, seconds, why } of rows)
    console.log(`${name.padEnd(width)}  ${why ?? `${passed} passed, ${failed} failed, ${seconds} s`}`);
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}
