import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { basename, join } from 'node:path';

const built = (path) => import(`../../build/server/database/${path}`);
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
const quiet = { info: () => {}, error: (details, message) => console.error(message, details) };

const memory = '/dev/shm';
const enoughMemory = 8 * 2 ** 30;
const ofDatabases = 'gallery-test-databases-';
const DAY = 86_400_000;

/** Uses files in memory if there is enough: hundreds of databases are copied and dropped, which is slow on a disk. */
function makePlaceOfDatabases() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const limit = process.constrainedMemory();
    const room = limit > 0 && limit < totalmem() ? Math.min(limit, bavail * bsize) : bavail * bsize;
    if (room < enoughMemory) throw new Error('too little memory');
    // Removes what killed runs left, which otherwise stays until the machine restarts.
    for (const name of readdirSync(memory).filter((each) => each.startsWith(ofDatabases))) {
      const old = join(memory, name);
      if (Date.now() - statSync(old).mtimeMs > DAY) rmSync(old, REMOVAL);
    }
    return mkdtempSync(join(memory, ofDatabases));
  } catch {
    return mkdtempSync(join(tmpdir(), ofDatabases));
  }
}

/** Creates a folder for everything that a run makes, and one for the databases. */
export function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-test-'));
  const databases = makePlaceOfDatabases();
  const temporary = join(folder, 'tmp');
  // Tests and Postgres may run as another user and must be able to enter these folders.
  for (const place of [folder, databases]) chmodSync(place, 0o711);
  mkdirSync(temporary, { mode: 0o711 });
  return {
    databases,
    env: { TMPDIR: temporary },
    remove() {
      endLeftBehind(temporary);
      rmSync(folder, REMOVAL);
      rmSync(databases, REMOVAL);
    },
  };
}

/**
 * Starts a cluster with one migrated database that tests copy: an embedded one, or the real one at `url`.
 * @param {{ databases: string }} place
 * @param {string | undefined} url
 */
export async function startCluster({ databases }, url) {
  const { databaseUrl, parseDatabaseUrl } = await built('address.js');
  const own = url ? undefined : await startOwn(databases);
  const admin = own?.superuser ?? parseDatabaseUrl(url);
  const run = `gallery_test_${randomBytes(4).toString('hex')}`;
  const template = `${run}_template`;
  const stop = async () => {
    if (own) await own.stop();
    else await dropAll(admin, run);
  };
  try {
    const { runMigrations } = await built('migrations/migrate.js');
    await withClient(admin, (sql) => sql.unsafe(`create database ${template} template template0`));
    await runMigrations({ ...admin, database: template });
  } catch (error) {
    await stop();
    throw error;
  }
  const env = {
    GALLERY_TEST_ADMIN_URL: databaseUrl(admin),
    GALLERY_TEST_TEMPLATE: template,
  };
  return { env, stop };
}

async function startOwn(databases) {
  const { startEmbeddedPostgres } = await built('embedded/embedded.js');
  const { letSuperuserIn } = await built('../testing/postgres/superuser.js');
  const dataDir = join(databases, 'postgres');
  const own = await startEmbeddedPostgres({ dataDir, log: quiet });
  return { ...own, superuser: await letSuperuserIn(dataDir, own.connection) };
}

/** Stops every Postgres that killed tests left, since it writes into the folder to be removed. */
function endLeftBehind(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => basename(name) === 'postmaster.pid');
  for (const file of files) {
    try {
      process.kill(Number(readFileSync(join(folder, file), 'utf8').split('\n')[0]), 'SIGQUIT');
    } catch {
      // The process has ended.
    }
  }
}

/** Drops the databases that killed tests left on an external cluster. */
async function dropAll(admin, run) {
  await withClient(admin, async (sql) => {
    const rows = await sql`select datname as name from pg_database where starts_with(datname, ${run})`;
    for (const { name } of rows) await sql.unsafe(`drop database if exists ${name} with (force)`);
  });
}

async function withClient(address, work) {
  const { openClient } = await built('client.js');
  const sql = openClient(address, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
