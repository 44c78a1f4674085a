// Compiles, starts one database for all tests and runs them with tap. docs/understand/testing.md describes the kinds:
//   npm test [-- server/delivery/links.test.ts …]   on the embedded Postgres
//   npm run test:postgres                         what may differ on another Postgres, named by TEST_DATABASE_URL
//   npm run test:smoke                            a short selection of the kinds below
//   npm run test:browser                          whole screens in Chromium
//   npm run test:nightly                          whole servers and clusters, and long tests
//   npm run test:browser-nightly                  the screens in all sizes and languages
//   npm run test:trust                            faults (kills, full disks) and abuse
//   npm run test:faults                           faults only
//   npm run test:cluster [-- --storage=disk]      three processes behind nginx, killed, restarted and cut off under load
//   npm run test:container [-- --full]            the image and the compose files, built and run with podman, as root
// postgres, nightly, trust and faults use the cluster of TEST_DATABASE_URL if it is set; cluster starts its own Postgres.
// --coverage reports coverage. --full runs the long variants of trust, faults and container. --pull (container) uses the
// registry's base images instead of making them. --rounds=<n> repeats each random fault
// (with --cluster: rounds in all). --report prints the table of goals; with --full, a missed goal fails the run.
import { setMaxListeners } from 'node:events';
import './node-version.mjs';
import { makePlace, startCluster } from './testing/cluster.mjs';
import { compile } from './testing/compile.mjs';
import { startContainers } from './testing/containers/containers.mjs';
import { runWithCoverage } from './testing/coverage.mjs';
import { openFigures } from './testing/figures.mjs';
import { concernClient, filesOf, usesS3 } from './testing/files.mjs';
import { openReport } from './testing/report.mjs';
import { runFiles } from './testing/run-files.mjs';
import { startSwift, swiftIsInstalled } from './testing/swift.mjs';

const words = process.argv.slice(2);
const kinds = ['postgres', 'smoke', 'browser', 'nightly', 'browser-nightly', 'trust', 'faults', 'cluster', 'container'];
const kind = kinds.find((name) => words.includes(`--${name}`)) ?? 'usual';
const onPage = kind === 'usual' || kind.startsWith('browser');
const coverage = words.includes('--coverage');
const ours = [...kinds.map((name) => `--${name}`), '--coverage', '--report', '--full', '--pull'];
const rounds = words.find((word) => word.startsWith('--rounds='));
const storage = words.find((word) => word.startsWith('--storage='));
// The gate injects only a few of the random faults.
const fewRounds = kind === 'smoke' && !rounds ? { GALLERY_TRUST_ROUNDS: '3' } : {};
const rest = words.filter((word) => !ours.includes(word) && word !== rounds && word !== storage);
const variant = {
  ...fewRounds,
  ...(words.includes('--full') ? { GALLERY_TRUST_FULL: '1' } : {}),
  ...(rounds ? { GALLERY_TRUST_ROUNDS: rounds.slice('--rounds='.length) } : {}),
  ...(storage ? { GALLERY_CLUSTER_STORAGE: storage.slice('--storage='.length) } : {}),
};

const interruption = new AbortController();
// Every test program adds a listener.
setMaxListeners(0, interruption.signal);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort());

async function main() {
  const unknown = rest.find((word) => word.startsWith('-'));
  if (unknown) throw new Error(`There is no option ${unknown}.`);
  const url = process.env.TEST_DATABASE_URL;
  // Most kinds need the built page: answers contain the hash of its first script and the style of shared albums.
  const page = kind !== 'faults' && kind !== 'container';
  await compile({ page, logic: kind === 'usual' && concernClient(rest) });
  const files = filesOf(rest, kind);
  if (files.length === 0) throw new Error(`There is no test ${rest.join(' ')}.`);
  interruption.signal.throwIfAborted();
  const place = makePlace();
  const report = words.includes('--report') ? openReport() : undefined;
  const figures = kind === 'cluster' ? openFigures() : undefined;
  let cluster;
  let s3;
  let containers;
  try {
    if (kind === 'container')
      containers = await startContainers({ pull: words.includes('--pull'), full: words.includes('--full') });
    else if (kind !== 'cluster') cluster = await startCluster(place, onPage ? undefined : url);
    if (swiftIsInstalled() && (kind === 'cluster' || files.some(usesS3))) s3 = await startSwift();
    interruption.signal.throwIfAborted();
    const result = await (coverage ? runWithCoverage : runFiles)(files, {
      kind,
      env: {
        ...place.env,
        ...cluster?.env,
        ...s3?.env,
        ...containers?.env,
        ...report?.env,
        ...figures?.env,
        ...variant,
      },
      signal: interruption.signal,
    });
    // The figures apply to an idle machine; on a busy one they are printed, and only the tests decide.
    figures?.print();
    const held = ((await report?.print()) ?? true) || !words.includes('--full');
    return held || result.code !== 0 ? result : { ...result, code: 1 };
  } finally {
    report?.close();
    figures?.close();
    await s3?.stop();
    await containers?.stop();
    await cluster?.stop();
    place.remove();
  }
}

try {
  const { code, passed, failed, leftOut, failures, slowest } = await main();
  for (const lines of failures) console.log(lines);
  for (const line of slowest) console.log(line);
  for (const line of leftOut) console.log(`Skipped: ${line}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = interruption.signal.aborted ? 130 : code;
} catch (error) {
  console.error(interruption.signal.aborted ? 'Interrupted.' : error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = interruption.signal.aborted ? 130 : 1;
}
