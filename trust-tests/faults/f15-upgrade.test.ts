import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import type { Test } from 'tap';
import { hashPassword } from '../../server/auth/password/passwords.ts';
import { parseDatabaseUrl } from '../../server/database/address.ts';
import { openClient } from '../../server/database/client.ts';
import { startEmbeddedPostgres } from '../../server/database/embedded/embedded.ts';
import { findRunningPostgres } from '../../server/database/embedded/find-running.ts';
import { runMigrations } from '../../server/database/migrations/migrate.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { createTestDatabase } from '../../server/testing/postgres/database.ts';
import { temporaryFolder } from '../../server/testing/postgres/embedded.ts';
import { letSuperuserIn } from '../../server/testing/postgres/superuser.ts';
import { logIn } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault } from '../testing/fault.ts';
import { listAll } from '../testing/holdings.ts';
import { createHome, type Home, onEmbedded } from '../testing/home.ts';
import { sha256 } from '../testing/ledger.ts';
import { measured } from '../testing/measured.ts';
import { rounds } from '../testing/rounds.ts';
import { listening } from '../testing/server-process.ts';
import * as upgrade from '../testing/upgrade.ts';

const password = 'a password from the first day';
const early = { username: 'early', email: 'early@example.com' };
const quiet = { info: () => {}, error: () => {} };

/** Runs work on the database as its superuser, before a server of this version has used it. */
async function beforehand<T>(home: Home, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const embedded = onEmbedded
    ? await startEmbeddedPostgres({ dataDir: join(home.dataDir, 'postgres'), log: quiet })
    : undefined;
  const address = embedded
    ? await letSuperuserIn(join(home.dataDir, 'postgres'), embedded.connection)
    : parseDatabaseUrl(home.environment.DATABASE_URL ?? '');
  const sql = openClient(address, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
    await embedded?.stop();
  }
}

async function superuserOf(home: Home): Promise<postgres.Sql> {
  if (!onEmbedded) return home.connect();
  const folder = join(home.dataDir, 'postgres');
  const running = await findRunningPostgres(folder);
  if (!running) throw new Error('no server is running');
  return openClient(await letSuperuserIn(folder, running), { max: 1 });
}

async function firstRelease(t: Test, sql: postgres.Sql, dataDir: string, withFiles: number) {
  await upgrade.emptyDatabase(sql);
  await upgrade.migrateTo(t, sql, 1);
  return upgrade.fillFirstRelease(sql, dataDir, await hashPassword(password), withFiles);
}

const stopped = (home: Home) =>
  eventually('a statement waits', async () => {
    const rows = await home
      .sql(`select pid from pg_stat_activity where wait_event = 'PgSleep' and backend_type = 'client backend'`)
      .catch(() => []);
    return rows.length > 0;
  });

fault(
  'F15',
  'an upgrade killed at each statement in turn is finished by the next start and loses nothing',
  async (t) => {
    const home = await createHome(t);
    const { sums, before } = await beforehand(home, async (sql) => {
      const sums = await firstRelease(t, sql, home.dataDir, 20);
      await upgrade.stopAtEachStatement(sql);
      return { sums, before: await upgrade.sumOf(sql) };
    });
    const after = async () => {
      const sql = await home.connect();
      const sum = await upgrade.sumOf(sql);
      await sql.end({ timeout: 5 });
      return sum;
    };

    let kills = 0;
    let origin: string | undefined;
    for (;;) {
      const server = home.launch();
      origin = await Promise.race([listening(server), stopped(home).then(() => undefined)]);
      if (origin) break;
      server.child.kill('SIGKILL');
      await server.ended;
      kills += 1;
      // Postgres notices a lost client only when the statement ends, and holds its locks until then.
      await home.sql(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`);
      t.same(await after(), before, `killed at statement ${kills}`);
    }
    t.equal(kills, upgrade.statements(), 'killed at each statement once');
    t.same(await after(), before, 'after the upgrade');
    const sql = await superuserOf(home);
    await upgrade.stopNoMore(sql);
    await sql.end({ timeout: 5 });
    const [held] = await home.sql('select image_count as images, image_bytes::text as bytes from users');
    const { images, bytes } = before as { images: number; bytes: string };
    t.same(held, { images, bytes }, 'the account’s usage was counted');

    const listed = await listAll(origin, await logIn(origin, { ...early, password }));
    t.equal(listed.length, 1000);
    let equal = 0;
    for (const { filename, url } of listed) {
      const sum = sums.get(filename);
      if (sum && sha256((await call(origin, new URL(url).pathname)).bytes) === sum) equal += 1;
    }
    t.equal(equal, sums.size, 'SHA-256 of all images that have files');
    measured('G19', { part: 'kills', seen: `${kills} kills, ${images} images`, held: t.passing() });
  },
);

fault(
  'F15',
  'a copy of the first release’s data folder can be restored after a broken upgrade and upgraded again',
  async (t) => {
    const home = await createHome(t);
    const { sums, before } = await beforehand(home, async (sql) => ({
      sums: await firstRelease(t, sql, home.dataDir, 20),
      before: await upgrade.sumOf(sql),
    }));
    // As documented: the server is stopped and the folder copied.
    const copy = join(temporaryFolder(t), 'copy');
    const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);
    copyFolder(home.dataDir, copy);

    const upgraded = await home.start();
    t.equal(await upgraded.stop(), 0);
    await beforehand(home, (sql) => sql.unsafe('drop table images cascade'));
    rmSync(join(home.dataDir, 'files', 'originals'), { recursive: true });
    for (const name of readdirSync(home.dataDir)) rmSync(join(home.dataDir, name), { recursive: true });
    copyFolder(`${copy}/.`, home.dataDir);

    const server = await home.start();
    const sql = await home.connect();
    t.same(await upgrade.sumOf(sql), before, 'all rows are back');
    const listed = await listAll(server.origin, await logIn(server.origin, { ...early, password }));
    const seen = new Map<string, string>();
    for (const { filename, url } of listed) {
      if (!sums.has(filename)) continue;
      seen.set(filename, sha256((await call(server.origin, new URL(url).pathname)).bytes));
    }
    t.same(seen, sums, 'SHA-256 of all images that have files');
    t.equal(await server.stop(), 0);
  },
  { on: 'embedded' },
);

const races = rounds(5, 20);

fault(
  'F15',
  `of two servers that upgrade at once, one runs the migrations and both continue (${races} times)`,
  async (t) => {
    let good = 0;
    for (let round = 0; round < races; round += 1) {
      const { url } = await createTestDatabase(t);
      const address = parseDatabaseUrl(url);
      const sql = openClient(address, { max: 1 });
      await firstRelease(t, sql, '', 0);
      const before = await upgrade.sumOf(sql);
      await Promise.all([runMigrations(address), runMigrations(address)]);
      t.same(await upgrade.sumOf(sql), before);
      const [{ runs, steps } = {}] = await sql`
      select count(*)::int as runs, count(distinct hash)::int as steps from drizzle.__drizzle_migrations`;
      t.equal(runs, steps, 'each migration ran once');
      if (runs === steps) good += 1;
      await sql.end({ timeout: 5 });
    }
    const count = { made: races, wanted: 20, what: 'times at once' };
    measured('G19', { part: 'at once', seen: `${good} of ${races}`, held: good === races, count });
  },
);
