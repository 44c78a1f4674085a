// `npm run test:all`: runs every kind of test, even after failures, and prints the totals.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const kinds = ['usual', 'postgres', 'smoke', 'nightly', 'trust', 'cluster', 'browser', 'browser-nightly', 'container'];
const script = join(import.meta.dirname, 'test.mjs');

/** @returns {Promise<{ passed: number, failed: number }>} */
function run(kind) {
  const child = spawn(process.execPath, [script, ...(kind === 'usual' ? [] : [`--${kind}`])], {
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
      resolve({ passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1) });
    });
  });
}

const sum = { passed: 0, failed: 0 };
const lines = [];
for (const kind of kinds) {
  console.log(`\n=== ${kind}`);
  const start = performance.now();
  const { passed, failed } = await run(kind);
  sum.passed += passed;
  sum.failed += failed;
  lines.push(`${kind}: ${passed} passed, ${failed} failed, ${Math.round((performance.now() - start) / 1000)} s`);
}
console.log(`\n${lines.join('\n')}`);
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 ? 0 : 1;
