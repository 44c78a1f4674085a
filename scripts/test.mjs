// Compiles, starts one database for all tests and runs them with tap (docs/understand/testing.md tells which tests are of which kind):
//   npm test [-- server/delivery/links.test.ts …]   on the embedded Postgres
//   npm run test:postgres                         what can differ on another Postgres: on the one that TEST_DATABASE_URL names
//   npm run test:smoke                            a few of those below, and of those that start whole servers
//   npm run test:browser                          whole screens in Chromium
//   npm run test:nightly                          what starts whole servers and clusters, or takes long
//   npm run test:browser-nightly                  the screens in all sizes and languages
//   npm run test:trust                            what must survive (kills, full disks) and what must be refused
//   npm run test:faults                           the first half of it
//   npm run test:cluster [-- --storage=disk]      three processes behind nginx, killed, restarted and cut off under load
// Those of postgres, nightly, trust and faults run on the embedded Postgres, or where TEST_DATABASE_URL is set, on the
// cluster it names; those of cluster start a Postgres of their own.
// With --coverage, what the tests reach is told too. With --trust and --faults, --full takes the long variants,
// --rounds=<n> says how often each random fault is made (with --cluster, how many rounds there are), and --report prints
// the table of goals with what was measured; with both, a figure that was not held fails the run.
import { setMaxListeners } from 'node:events';
import './node-version.mjs';
import { makePlace, startCluster } from './testing/cluster.mjs';
import { compile } from './testing/compile.mjs';
import { runWithCoverage } from './testing/coverage.mjs';
import { openFigures } from './testing/figures.mjs';
import { filesOf, usesS3 } from './testing/files.mjs';
import { openReport } from './testing/report.mjs';
import { runFiles } from './testing/run-files.mjs';
import { startSwift, swiftIsInstalled } from './testing/swift.mjs';

const words = process.argv.slice(2);
const kinds = ['postgres', 'smoke', 'browser', 'nightly', 'browser-nightly', 'trust', 'faults', 'cluster'];
const kind = kinds.find((name) => words.includes(`--${name}`)) ?? 'usual';
const onPage = kind === 'usual' || kind.startsWith('browser');
const coverage = words.includes('--coverage');
const ours = [...kinds.map((name) => `--${name}`), '--coverage', '--report', '--full'];
const rounds = words.find((word) => word.startsWith('--rounds='));
const storage = words.find((word) => word.startsWith('--storage='));
// A few of the random faults in the gate; ten in the nightly run.
const fewRounds = kind === 'smoke' && !rounds ? { GALLERY_TRUST_ROUNDS: '3' } : {};
const rest = words.filter((word) => !ours.includes(word) && word !== rounds && word !== storage);
const variant = {
  ...fewRounds,
  ...(words.includes('--full') ? { GALLERY_TRUST_FULL: '1' } : {}),
  ...(rounds ? { GALLERY_TRUST_ROUNDS: rounds.slice('--rounds='.length) } : {}),
  ...(storage ? { GALLERY_CLUSTER_STORAGE: storage.slice('--storage='.length) } : {}),
};

const interruption = new AbortController();
// Each program listens to it.
setMaxListeners(0, interruption.signal);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort());

async function main() {
  const unknown = rest.find((word) => word.startsWith('-'));
  if (unknown) throw new Error(`There is no option ${unknown}.`);
  const url = process.env.TEST_DATABASE_URL;
  // What a server answers tells of the page too: the hash of its first script, the style of a shared album.
  await compile({ page: kind !== 'faults', logic: kind === 'usual' });
  const files = filesOf(rest, kind);
  if (files.length === 0) throw new Error(`There is no test ${rest.join(' ')}.`);
  interruption.signal.throwIfAborted();
  const place = makePlace();
  const report = words.includes('--report') ? openReport() : undefined;
  const figures = kind === 'cluster' ? openFigures() : undefined;
  let cluster;
  let s3;
  try {
    if (kind !== 'cluster') cluster = await startCluster(place, onPage ? undefined : url);
    if (swiftIsInstalled() && (kind === 'cluster' || files.some(usesS3))) s3 = await startSwift();
    interruption.signal.throwIfAborted();
    const result = await (coverage ? runWithCoverage : runFiles)(files, {
      kind,
      env: { ...place.env, ...cluster?.env, ...s3?.env, ...report?.env, ...figures?.env, ...variant },
      signal: interruption.signal,
    });
    // The numbers hold on a machine of one's own; on a busy one they are told, and the tests themselves judge.
    figures?.print();
    const held = ((await report?.print()) ?? true) || !words.includes('--full');
    return held || result.code !== 0 ? result : { ...result, code: 1 };
  } finally {
    report?.close();
    figures?.close();
    await s3?.stop();
    await cluster?.stop();
    place.remove();
  }
}

try {
  const { code, passed, failed, leftOut, failures, slowest } = await main();
  for (const lines of failures) console.log(lines);
  for (const line of slowest) console.log(line);
  for (const line of leftOut) console.log(`Left out: ${line}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = interruption.signal.aborted ? 130 : code;
} catch (error) {
  console.error(interruption.signal.aborted ? 'Interrupted.' : error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = interruption.signal.aborted ? 130 : 1;
}
