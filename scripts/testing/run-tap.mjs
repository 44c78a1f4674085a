import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './compile.mjs';
import { group } from './groups.mjs';

/** What measures time, or takes much memory, runs alone. */
const alone = [
  'goals/g01-corpus.test.js',
  'goals/g06-bombs.test.js',
  'goals/g14-login-storm.test.js',
  'abuse/a03-timing.test.js',
  'faults/f03-database-stopped.test.js',
  'faults/f04-database-frozen.test.js',
  'faults/f10-slow-clients.test.js',
  'faults/f16-stop-in-flight.test.js',
  'faults/f17-memory-pressure.test.js',
  'faults/f18-starvation.test.js',
  'faults/f20-crash.test.js',
]
  .map((name) => `trust-tests/${name}`)
  .concat('cluster-tests/round.smoke.test.js')
  .map((name) => `--serial=build/${name}`);

/** Kinds whose tests take their time; a test that sets a longer limit itself has that one. */
const paces = {
  // A process runs many files, each with a limit of its own (groups.mjs).
  usual: ['--timeout=3600'],
  smoke: ['--jobs=2', '--timeout=600', ...alone],
  browser: ['--jobs=2', '--timeout=600'],
  'browser-nightly': ['--jobs=1', '--timeout=600'],
  faults: ['--jobs=2', '--timeout=600', ...alone],
  trust: ['--jobs=2', '--timeout=600', ...alone],
  cluster: ['--jobs=1', '--timeout=600'],
};

const withoutLoaders = {
  NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${new URL('./no-loaders.mjs', import.meta.url)}`].join(' ').trim(),
};

/** Lines of one failure that are told; a comparison of two long texts has hundreds. */
const longest = 40;

/**
 * Runs tap, its report on the terminal and its raw output in a file, from which the counts are taken.
 * @returns {Promise<{ code: number, passed: number, failed: number, leftOut: string[], failures: string[], slowest: string[] }>}
 */
export async function runTap(files, { kind, options, coverage, env, signal }) {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-tap-'));
  const output = join(folder, 'output.tap');
  const words = [
    `--reporter=${process.stdout.isTTY ? 'base' : 'terse'}`,
    `--output-file=${output}`,
    ...(paces[kind] ?? []),
    ...(coverage ? [] : ['--disable-coverage', '--allow-empty-coverage']),
    ...options,
  ];
  try {
    const grouped = kind === 'usual' && files.length > 1 && !coverage;
    const { run, together } = grouped ? group(files) : { run: files, together: [] };
    const code = await tap([...words, ...run], coverage ? env : { ...env, ...withoutLoaders }, signal);
    const text = readOrNothing(output);
    const notEnded = together
      .filter((file) => !text.includes(` s: ${file}`))
      .map((file) => `not ok - ${file} did not end`);
    const { passed, failed } = countsIn(text);
    return {
      code: code || Math.min(notEnded.length, 1),
      passed,
      failed: failed + notEnded.length,
      leftOut: leftOutIn(text),
      failures: [...failuresIn(text), ...notEnded],
      slowest: slowestIn(text),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tap(words, env, signal) {
  const child = spawn(process.execPath, [join(root, 'node_modules/tap/dist/esm/run.mjs'), 'run', ...words], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  }).finally(() => signal.removeEventListener('abort', end));
}

/** tap closes with a line such as "# { total: 14, pass: 12, fail: 1, skip: 1 }". A run cut short has none. */
function countsIn(text) {
  const summary = /^# \{ (total: \d+.*) \}$/m.exec(text)?.[1];
  if (summary === undefined) return { passed: 0, failed: 1 };
  const count = (name) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(summary)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') };
}

/** What this machine could not show: a test's name and the reason it gave. */
function leftOutIn(text) {
  const lines = text.matchAll(/^ *ok \d+(?: - )?(.*?) *# SKIP ?(.*)$/gm);
  return [...new Set(Array.from(lines, ([, name, reason]) => `${name}: ${reason || 'no reason given'}`))];
}

/** Each line that says "not ok", and under it what tap says of it, so that a run's end tells what failed in it. */
function failuresIn(text) {
  const failures = [];
  let open;
  for (const line of text.split('\n')) {
    const [, margin] = /^( *)not ok \d+(?!.*# TODO)/.exec(line) ?? [];
    if (margin !== undefined) {
      open = { margin, lines: [line] };
      failures.push(open);
    } else if (open && line.startsWith(`${open.margin}  `) && line !== `${open.margin}  ...`) {
      if (open.lines.length < longest) open.lines.push(line);
    } else open = undefined;
  }
  return failures.map(({ lines }) => lines.join('\n'));
}

/** The ten files that took longest, so that whoever wants a shorter run knows where to look. */
function slowestIn(text) {
  const alone = text.matchAll(/^(?:not )?ok \d+ - (build\/\S+) # time=(?<ms>[\d.]+)ms/gm);
  const grouped = text.matchAll(/^ *# took ([\d.]+) s: (\S+)$/gm);
  return [
    ...Array.from(alone, ([, file, ms]) => ({ file, seconds: Number(ms) / 1000 })),
    ...Array.from(grouped, ([, seconds, file]) => ({ file, seconds: Number(seconds) })),
  ]
    .filter(({ file }) => !file.startsWith('build/groups/'))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}`);
}

function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
