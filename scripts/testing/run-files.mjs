import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './compile.mjs';
import { group, watchGroup } from './groups.mjs';
import { countsIn, failuresIn, leftOutIn } from './read-tap.mjs';

/** Tests that measure time or need much memory run alone. */
const alone = [
  'goals/g01-corpus',
  'goals/g06-bombs',
  'goals/g14-login-storm',
  'abuse/accounts/a03-timing',
  'faults/f03-database-stopped',
  'faults/f04-database-frozen',
  'faults/f10-slow-clients',
  'faults/f16-stop-in-flight',
  'faults/f17-memory-pressure',
  'faults/f18-starvation',
  'faults/f20-crash',
].map((name) => `build/trust-tests/${name}.test.js`);

/** One more than the processors, since many tests wait. */
const many = availableParallelism() + 1;
/** Number of parallel programs, and seconds for tests without their own limit. */
const paces = {
  usual: { jobs: many, timeout: 300 },
  postgres: { jobs: many, timeout: 600 },
  smoke: { jobs: many, timeout: 600 },
  browser: { jobs: 2, timeout: 600 },
  'browser-nightly': { jobs: 1, timeout: 600 },
  cluster: { jobs: 1, timeout: 600 },
  container: { jobs: 2, timeout: 600 },
};
const usual = { jobs: 2, timeout: 600 };

/** The tests of the gate share processes; the others may leave anything behind in theirs. */
const sharing = ['usual', 'postgres', 'smoke', 'browser'];

/** Milliseconds after which a hanging program is killed. */
const endless = 3 * 3_600_000;

/**
 * Runs test files as plain Node programs. tap's own runner adds two module loaders, which triple a server's load time.
 * @returns {Promise<{ code: number, passed: number, failed: number, leftOut: string[], failures: string[], slowest: string[] }>}
 */
export async function runFiles(files, { kind, env, signal }) {
  const { jobs, timeout } = paces[kind] ?? usual;
  const shared = sharing.includes(kind) && files.length > 1 ? files.filter((file) => !alone.includes(file)) : [];
  const programs = [...group(shared, jobs, timeout), ...files.filter((file) => !shared.includes(file))];
  const sum = { code: 0, passed: 0, failed: 0, leftOut: new Set(), failures: [], times: [] };
  const ended = (file, seconds, failed) => {
    sum.times.push({ file, seconds });
    const mark = failed ? 'FAILED  ' : '';
    console.log(`${sum.times.length}/${files.length}  ${mark}${seconds.toFixed(1).padStart(6)} s  ${file}`);
  };

  function start(program) {
    const child = spawn(process.execPath, ['--enable-source-maps', join(root, program)], {
      cwd: root,
      env: {
        ...process.env,
        TAP_TIMEOUT: String(timeout),
        // Set by the entry points of the server (main.ts), which tests do not import.
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: endless,
      killSignal: 'SIGKILL',
      signal,
    });
    const lines = [];
    const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
    if (!files.includes(program)) output.on('line', watchGroup(ended));
    return new Promise((resolve, reject) => {
      child.on('error', (error) => (error.name === 'AbortError' ? undefined : reject(error)));
      child.on('close', (code) => resolve({ code: code ?? 1, text: lines.join('\n') }));
    });
  }

  async function run(program) {
    const begun = performance.now();
    const { code, text } = await start(program);
    const { passed, failed } = countsIn(text);
    const silent = code !== 0 && failed === 0;
    sum.code ||= code;
    sum.passed += passed;
    sum.failed += failed + (silent ? 1 : 0);
    for (const line of leftOutIn(text)) sum.leftOut.add(line);
    sum.failures.push(...failuresIn(text));
    if (silent) sum.failures.push(`not ok - ${program} ended with ${code}`);
    if (files.includes(program)) ended(program, (performance.now() - begun) / 1000, code !== 0);
  }

  const serial = programs.filter((program) => alone.includes(program));
  const waiting = programs.filter((program) => !alone.includes(program));
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  for (const program of serial) if (!signal.aborted) await run(program);

  const times = sum.times;
  const missing = signal.aborted ? [] : files.filter((name) => !times.some(({ file }) => file === name));
  const failed = sum.failed + missing.length;
  return {
    code: sum.code || Math.min(failed, 1),
    passed: sum.passed,
    failed,
    leftOut: [...sum.leftOut],
    failures: [...sum.failures, ...missing.map((file) => `not ok - ${file} did not finish`)],
    slowest: slowest(times),
  };
}

/** The ten files that took longest, to show where a run can be made shorter. */
const slowest = (times) =>
  times
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}`);
