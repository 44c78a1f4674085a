import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const built = (path) => import(`../../build/server/database/${path}`);
const quiet = { info: () => {}, error: (details, message) => console.error(message, details) };

/**
 * A cluster with one migrated database that tests copy: an embedded one of its own, or, with a URL, a real one.
 * @param {string | undefined} url
 */
export async function startCluster(url) {
  const { databaseUrl, parseDatabaseUrl } = await built('address.js');
  const own = url ? undefined : await startOwn();
  const admin = own?.connection ?? parseDatabaseUrl(url);
  const run = `gallery_test_${randomBytes(4).toString('hex')}`;
  const template = `${run}_template`;
  const stop = async () => {
    if (own) await own.stop();
    else await dropAll(admin, run);
  };
  try {
    const { runMigrations } = await built('migrate.js');
    await withClient(admin, (sql) => sql.unsafe(`create database ${template} template template0`));
    await runMigrations({ ...admin, database: template });
  } catch (error) {
    await stop();
    throw error;
  }
  return { env: { GALLERY_TEST_ADMIN_URL: databaseUrl(admin), GALLERY_TEST_TEMPLATE: template }, stop };
}

async function startOwn() {
  const { startEmbeddedPostgres } = await built('embedded.js');
  const folder = mkdtempSync(join(tmpdir(), 'gallery-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const { connection, stop } = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: quiet });
    return { connection, stop: () => stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What killed tests have left on a cluster that outlives the run. */
async function dropAll(admin, run) {
  await withClient(admin, async (sql) => {
    const rows = await sql`select datname as name from pg_database where starts_with(datname, ${run})`;
    for (const { name } of rows) await sql.unsafe(`drop database if exists ${name} with (force)`);
  });
}

async function withClient(address, work) {
  const { openClient } = await built('connect.js');
  const sql = openClient(address, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
