// `npm run test:postgres-versions [-- 15 …]`: runs `npm run test:postgres` on the newest Postgres of each supported line.
import './node-version.mjs';
import { join } from 'node:path';
import { makePlace } from './testing/cluster.mjs';
import { compile } from './testing/compile.mjs';
import { countTests, printCounts } from './testing/counted.mjs';
import { lines, newestPostgres, startPostgres } from './testing/postgres-lines.mjs';

const named = process.argv.slice(2);
await compile({ page: true, logic: false });
const place = makePlace();
const rows = [];
for (const line of named.length > 0 ? named : lines) {
  let postgres;
  try {
    const { version, integrity } = newestPostgres(line);
    console.log(`\n=== Postgres ${version}`);
    postgres = await startPostgres({ version, integrity }, join(place.databases, line));
    const env = { ...process.env, TEST_DATABASE_URL: postgres.url };
    rows.push({ name: `Postgres ${version}`, ...(await countTests('test.mjs', ['--postgres'], env)) });
  } catch (error) {
    rows.push({ name: `Postgres ${line}`, passed: 0, failed: 1, why: error.message });
  } finally {
    await postgres?.stop();
  }
}
place.remove();
printCounts(rows);
