/** Backups and restores that are killed or run out of space. */
import { execFile } from 'node:child_process';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { parseDatabaseUrl } from '../../../database/address.ts';
import { openClient } from '../../../database/client.ts';
import { account, newEnvironment, originals, upload } from '../../../testing/collections/whole-gallery.ts';
import { storedFiles } from '../../../testing/disk.ts';
import { eventually } from '../../../testing/eventually.ts';
import { query, temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startProcess, startServer } from '../../../testing/processes.ts';

t.setTimeout(280_000);

const run = promisify(execFile);
const count = (text: string, found: RegExp) => text.match(found)?.length ?? 0;

/** A gallery behind DATABASE_URL with one snapshot in a file, its server stopped. */
async function backedUp(t: Test, count = 6, side = 40) {
  const from = await newEnvironment(t, 'DATABASE_URL');
  const server = await startServer(t, from);
  const headers = await account(server);
  const images = await upload(server, headers, count, side);
  const file = join(temporaryFolder(t), 'backup.tar');
  const { code, stderr } = await admin(t, ['backup', file], from);
  if (code !== 0) throw new Error(stderr);
  return { from, server, headers, images, file };
}

t.test("a backup killed during an append loses none of the file's earlier content", async (t) => {
  const { from, server, headers, images, file } = await backedUp(t);
  const before = await readFile(file);
  const more = await upload(server, headers, 6);
  const last = more.map(({ id }) => id).sort()[5];
  const key = (await storedFiles(from.DATA_DIR)).find(
    (each) => each.startsWith('originals/') && each.includes(`${last}`),
  );
  const path = join(from.DATA_DIR, 'files', `${key}`);

  // A pipe instead of the last original: the backup blocks after reading what the pipe holds.
  const bytes = await readFile(path);
  await rm(path);
  await run('mkfifo', [path]);
  const backup = startProcess(t, 'admin', ['backup', file], from);
  const pipe = await open(path, 'w');
  await pipe.write(Buffer.alloc(300_000));
  await eventually('the append has begun', async () => (await stat(file)).size > before.length);
  backup.child.kill('SIGKILL');
  await backup.ended;
  await pipe.close();
  await rm(path);
  await writeFile(path, bytes);

  const listed = await admin(t, ['restore', '--list', file], from);
  t.match(listed, { code: 0, stderr: /interrupted backup/ });
  t.equal(count(listed.stdout, /^20/gm), 1);
  const early = await newEnvironment(t, 'DATABASE_URL');
  t.equal((await admin(t, ['restore', file], early)).code, 0);
  t.same(await originals(early), new Map(images.map(({ id, sha256 }) => [id, sha256])));

  t.equal((await admin(t, ['backup', file], from)).code, 0);
  t.equal((await admin(t, ['restore', '--verify', file], from)).code, 0);
  const late = await newEnvironment(t, 'DATABASE_URL');
  t.equal((await admin(t, ['restore', file], late)).code, 0);
  t.same(await originals(late), new Map([...images, ...more].map(({ id, sha256 }) => [id, sha256])));
  t.equal(count((await run('tar', ['--list', '--file', file])).stdout, /manifest\.json/g), 2);
});

t.test('a killed first backup leaves no file under its name', async (t) => {
  const { from } = await backedUp(t, 1);
  const file = join(temporaryFolder(t), 'second.tar');
  const [key] = (await storedFiles(from.DATA_DIR)).filter((each) => each.startsWith('originals/'));
  const path = join(from.DATA_DIR, 'files', `${key}`);
  const bytes = await readFile(path);
  await rm(path);
  await run('mkfifo', [path]);
  const backup = startProcess(t, 'admin', ['backup', file], from);
  const pipe = await open(path, 'w');
  backup.child.kill('SIGKILL');
  await backup.ended;
  await pipe.close();
  await rm(path);
  await writeFile(path, bytes);
  await t.rejects(stat(file), { code: 'ENOENT' });
  t.equal((await admin(t, ['backup', file], from)).code, 0);
  await t.rejects(stat(`${file}.part`), { code: 'ENOENT' });
});

t.test('a killed restore leaves no rows and can be run again', async (t) => {
  const { images, file } = await backedUp(t, 40);
  const to = await newEnvironment(t, 'DATABASE_URL');
  const url = `${to.DATABASE_URL}`;
  const rows = async () =>
    (await query(url, 'select (select count(*) from users) + (select count(*) from images) as sum'))[0];

  const first = startProcess(t, 'admin', ['restore', file], to);
  await eventually('the first restored original', async () =>
    (await storedFiles(to.DATA_DIR).catch(() => [])).some((key) => key.startsWith('originals/')),
  );
  first.child.kill('SIGKILL');
  await first.ended;
  t.match(await rows(), { sum: '0' });

  // Blocks the last step: all files are stored, and no row may be visible yet.
  const sql = openClient(parseDatabaseUrl(url), { max: 2 });
  t.teardown(() => sql.end({ timeout: 5 }));
  await sql.begin(async (tx) => {
    await tx`lock table images in row exclusive mode`;
    const second = startProcess(t, 'admin', ['restore', file], to);
    // Only this database: other connections of the cluster may wait too.
    const waits = () => sql`select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'
      and relation = 'images'::regclass and database = (select oid from pg_database where datname = current_database())`;
    await eventually('the restore waits for its lock on images', async () => (await waits()).length > 0);
    t.equal((await originals(to)).size, images.length);
    second.child.kill('SIGKILL');
    await second.ended;
  });
  t.match(await rows(), { sum: '0' });

  t.match(await admin(t, ['restore', file], to), { code: 0, stdout: /^An earlier restore was continued/ });
  t.same(await originals(to), new Map(images.map(({ id, sha256 }) => [id, sha256])));
  t.match(await admin(t, ['doctor'], to), { code: 0 });
  t.match(await admin(t, ['restore', file], to), { code: 1, stderr: /^The database holds users already/ });
});

const root = process.getuid?.() === 0 && process.platform === 'linux';

t.test(
  'a backup on a full disk reports it and leaves the file unchanged',
  { skip: !root && 'only root can mount' },
  async (t) => {
    const { from, server, headers } = await backedUp(t);
    const disk = temporaryFolder(t);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk]);
    t.teardown(() => run('umount', [disk]));
    const file = join(disk, 'backup.tar');
    t.equal((await admin(t, ['backup', file], from)).code, 0);
    const before = await readFile(file);
    await upload(server, headers, 4, 300);
    const line = /^There is no space left for the backup \(ENOSPC\)[^\n]*\n$/;
    t.match(await admin(t, ['backup', file], from), { code: 1, stderr: line });
    t.same(await readFile(file), before);
    t.match(await admin(t, ['backup', '--full', file], from), { code: 1, stderr: line });
    t.same(await readFile(file), before);
    t.equal((await admin(t, ['restore', '--verify', file], from)).code, 0);
  },
);
