/** Files of refused or killed restores, and what may use them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  account,
  type GalleryEnvironment,
  type Kind,
  newEnvironment,
  originals,
  upload,
} from '../../../testing/collections/whole-gallery.ts';
import { storedFiles } from '../../../testing/disk.ts';
import { eventually } from '../../../testing/eventually.ts';
import { query, temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startProcess, startServer } from '../../../testing/processes.ts';

t.setTimeout(280_000);

async function backedUp(t: Test, count: number) {
  const from = await newEnvironment(t, 'DATABASE_URL');
  const server = await startServer(t, from);
  const images = await upload(server, await account(server), count);
  const file = join(temporaryFolder(t), 'backup.tar');
  const { code, stderr } = await admin(t, ['backup', file], from);
  if (code !== 0) throw new Error(stderr);
  await server.stop();
  return { file, images };
}

/** A copy with one bit of an object flipped. */
async function damaged(t: Test, file: string, sha256: string): Promise<string> {
  const bytes = await readFile(file);
  const at = bytes.indexOf(`objects/${sha256}`) + 600;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  const copy = join(temporaryFolder(t), 'damaged.tar');
  await writeFile(copy, bytes);
  return copy;
}

/** Asserts that neither a server nor a command uses the folder. */
async function isLeftAlone(t: Test, to: GalleryEnvironment): Promise<void> {
  const before = await storedFiles(to.DATA_DIR);
  const line = /the restore into the storage in \S+ was not finished.*"restore".*--discard/;
  await t.rejects(startServer(t, to), { message: line });
  t.match(await admin(t, ['doctor'], to), { code: 1, stderr: line });
  const making = ['users', 'create', '--username', 'zed', '--email', 'zed@example.com', '--password-stdin'];
  t.match(await admin(t, making, to, 'correct horse battery'), { code: 1, stderr: line });
  t.same(await storedFiles(to.DATA_DIR), before);
  if (to.DATABASE_URL) t.same(await query(to.DATABASE_URL, 'select id from installation'), []);
}

for (const kind of ['the embedded database', 'DATABASE_URL'] satisfies Kind[]) {
  t.test(`a refused restore into a new DATA_DIR is recognised and can be discarded, on ${kind}`, async (t) => {
    const { file, images } = await backedUp(t, 12);
    const last = images
      .map(({ id, sha256 }) => ({ id, sha256 }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .at(-1);
    const bad = await damaged(t, file, `${last?.sha256}`);
    const to = await newEnvironment(t, kind);
    t.match(await admin(t, ['restore', bad], to), {
      code: 1,
      stderr:
        /^What was restored so far .*--skip-damaged.*--discard[^\n]*\nThe backup is damaged: its object [^\n]*\n$/,
    });
    t.ok((await originals(to)).size > 0, 'files are left');
    await isLeftAlone(t, to);

    t.match(await admin(t, ['restore', '--discard'], to), { code: 2, stderr: /--yes/ });
    // An account made meanwhile does not block the discard.
    const user = `insert into users (id, username, username_key, email, email_key, password_hash)
      values (gen_random_uuid(), 'a', 'a', 'a', 'a', 'a')`;
    if (to.DATABASE_URL) await query(to.DATABASE_URL, user);
    t.match(await admin(t, ['restore', '--discard', '--yes'], to), { code: 0, stdout: /files? removed/ });
    t.same(await storedFiles(to.DATA_DIR), []);
    const marker = await readFile(join(to.DATA_DIR, 'files', 'installation'), 'utf8');
    t.notOk((await readFile(file)).includes(marker.trim()), 'the ownership marker of the backed-up gallery is gone');
    const server = await startServer(t, to);
    await upload(server, await account(server), 1);
    t.equal(await server.stop(), 0);
    t.match(await admin(t, ['restore', '--discard', '--yes'], to), {
      code: 1,
      stderr: /^No unfinished restore is in /,
    });
  });
}

t.test('a restore ended by the storage or the administrator prints what to do with its files', async (t) => {
  const { file } = await backedUp(t, 40);
  const to = await newEnvironment(t, 'DATABASE_URL');
  const hint = /What was restored so far stays in .*run the same again.*"restore --discard"/;
  const { child, ended, stderr } = startProcess(t, 'admin', ['restore', file], to);
  await eventually('the first restored original', async () =>
    (await storedFiles(to.DATA_DIR).catch(() => [])).some((key) => key.startsWith('originals/')),
  );
  child.kill('SIGINT');
  t.equal(await ended, 130);
  t.match(stderr(), hint);
  t.match(stderr(), /\nInterrupted\.\n$/);

  const full = await newEnvironment(t, 'DATABASE_URL');
  await mkdir(join(full.DATA_DIR, 'files'), { recursive: true });
  await writeFile(join(full.DATA_DIR, 'files', 'thumbnails'), 'a file where a folder has to be');
  const refused = await admin(t, ['restore', file], full);
  t.match(refused, { code: 1, stderr: hint });
  t.match(refused.stderr, /\nThe storage is unavailable/);
});

t.test('a killed restore is recognised and can be resumed', async (t) => {
  const { file, images } = await backedUp(t, 40);
  const to = await newEnvironment(t, 'DATABASE_URL');
  const first = startProcess(t, 'admin', ['restore', file], to);
  await eventually('the first restored original', async () =>
    (await storedFiles(to.DATA_DIR).catch(() => [])).some((key) => key.startsWith('originals/')),
  );
  first.child.kill('SIGKILL');
  await first.ended;
  await isLeftAlone(t, to);
  t.match(await admin(t, ['restore', file], to), { code: 0, stdout: /^An earlier restore was continued/ });
  t.equal((await originals(to)).size, images.length);

  // Like a restore killed between its rows and its last step.
  const marker = await readFile(join(to.DATA_DIR, 'files', 'installation'));
  await writeFile(join(to.DATA_DIR, 'files', 'restoring'), marker);
  const server = await startServer(t, to);
  t.equal(await server.stop(), 0);
  t.notOk((await storedFiles(to.DATA_DIR)).includes('restoring'));
  t.equal((await originals(to)).size, images.length);
});
