// `npm run test:all`, the nightly run: runs every kind of test, the newest Node of each line and each version of Postgres, even after
// failures, and prints the totals.
import { countTests, printCounts } from './testing/counted.mjs';

const kinds = ['postgres', 'smoke', 'nightly', 'trust', 'cluster', 'browser', 'browser-nightly'];
const runs = [
  { name: 'usual', script: 'test.mjs', words: [] },
  ...kinds.map((name) => ({ name, script: 'test.mjs', words: [`--${name}`] })),
  { name: 'container', script: 'test.mjs', words: ['--container', '--full'] },
  { name: 'postgres-versions', script: 'test-postgres-versions.mjs', words: [] },
  { name: 'nodes', script: 'test-nodes.mjs', words: ['--newest'] },
];

const rows = [];
for (const { name, script, words } of runs) {
  console.log(`\n=== ${name}`);
  rows.push({ name, ...(await countTests(script, words)) });
}
printCounts(rows);
