import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { sha256Of } from '../../lib/sha256.ts';
import { diskBackend } from '../../storage/disk/backend.ts';
import { logIn } from '../../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../../testing/app.ts';
import { addSnapshot } from '../../testing/collections/altered-backup.ts';
import { emptyTarget, type Gallery, type RestoreTarget, startGallery } from '../../testing/collections/backup.ts';
import { wrongCounts } from '../../testing/collections/gallery-rows.ts';
import { storedFiles } from '../../testing/disk.ts';
import { storeFiles } from '../../testing/form.ts';
import { noise } from '../../testing/pictures.ts';
import { beforeOrphanedBlobs } from '../../testing/postgres/before-orphaned-blobs.ts';
import { openBackupFile } from '../archive/file.ts';
import { openArchive } from '../archive/reader.ts';
import { BackupError } from '../backup-error.ts';
import { createParts } from '../parts.ts';
import { verifyBackup } from '../verify.ts';
import { restore } from './restore.ts';

async function upload({ app, account }: Gallery, count: number) {
  const files = Array.from({ length: count }, async (_, number) => ({
    name: `Bild ${number} 🌄.png`,
    bytes: await noise(40 + number, 30, 'png'),
  }));
  return storeFiles(app, account, await Promise.all(files));
}

/** Path -> SHA-256 of all image files and of the storage's ownership marker. */
async function contents(dataDir: string): Promise<Record<string, string>> {
  const names = (await storedFiles(dataDir)).filter((name) => !name.startsWith('staging/'));
  const hashed = names.map(async (name) => [name, sha256Of(await readFile(join(dataDir, 'files', name)))]);
  return Object.fromEntries(await Promise.all(hashed));
}

const rowsOf = async ({ sql }: Gallery | RestoreTarget) => ({
  users: [...(await sql`select to_jsonb(users) as row from users order by id`)],
  images: [...(await sql`select to_jsonb(images) as row from images order by id`)],
  installation: [...(await sql`select id from installation`)],
});

/** A backup with snapshots of four and of seven images. Tests that write to it take a copy. */
const gallery = await startGallery(t);
const [first] = await upload(gallery, 4);
await gallery.app.inject({
  method: 'PATCH',
  url: `/api/images/${first?.id}`,
  headers: gallery.account.bearer,
  payload: { filename: 'Möwen.png', description: 'Two gulls 🌄' },
});
await gallery.sql`update images set camera = 'Größe 一' where id = ${first?.id ?? ''}`;
const folder = await temporaryFolder(t);
const file = join(folder, 'backup.tar');
await gallery.backUp(file);
const backedUp = { rows: await rowsOf(gallery), files: await contents(gallery.dataDir) };
const twice = join(folder, 'twice.tar');
await copyFile(file, twice);
await upload(gallery, 3);
await gallery.backUp(twice);

async function copyOf(t: Test): Promise<string> {
  const copy = join(await temporaryFolder(t), 'backup.tar');
  await copyFile(file, copy);
  return copy;
}

t.test('a restored gallery has and serves every row and every byte', async (t) => {
  const target = await emptyTarget(t);
  await restore(target, { file });
  t.same(await rowsOf(target), backedUp.rows);
  t.same(await contents(target.dataDir), backedUp.files);

  const app = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  t.equal(await wrongCounts(app.db), 0, 'the counts of images come back with the rows');
  const account = await logIn(app, gallery.account);
  const { images } = (await app.inject({ url: '/api/images/', headers: account.bearer })).json();
  t.equal(images.length, 4);
  t.match(
    images.find(({ id }: { id: string }) => id === first?.id),
    { filename: 'Möwen.png', description: 'Two gulls 🌄', camera: 'Größe 一' },
  );
  for (const { url, thumbnail_url } of images) {
    for (const link of [url, thumbnail_url]) t.equal((await app.inject(new URL(link).pathname)).statusCode, 200);
  }
});

t.test('background renditions are not backed up and are due again after a restore', async (t) => {
  const digest = 'ab'.repeat(32);
  await gallery.sql`update images set renditions_due = false, thumbnail_avif_sha256 = ${digest}`;
  const made = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(made);
  const target = await emptyTarget(t);
  await restore(target, { file: made });
  const rows = await target.sql`select distinct renditions_due as due, thumbnail_avif_sha256 as avif from images`;
  t.same([...rows], [{ due: true, avif: null }]);
});

t.test('an earlier snapshot is restored by its time', async (t) => {
  const archive = await openArchive(twice);
  const times = archive.snapshots.map(({ time }) => time);
  await archive.close();
  const target = await emptyTarget(t);
  await t.rejects(restore(target, { file: twice, snapshot: '20' }), { message: /holds several snapshots of 20/ });
  await t.rejects(restore(target, { file: twice, snapshot: '1999' }), { message: /holds no snapshot of 1999/ });
  await restore(target, { file: twice, snapshot: times[0] });
  t.same(await rowsOf(target), backedUp.rows);
});

t.test('a restore into a database or storage with data is refused', async (t) => {
  const target = await emptyTarget(t);

  const full = await emptyTarget(t);
  await full.sql`insert into users (id, username, username_key, email, email_key, password_hash)
    values (gen_random_uuid(), 'a', 'a', 'a', 'a', 'a')`;
  await t.rejects(restore(full, { file }), {
    code: 'BACKUP',
    message: 'The database holds users already: restore into an empty one.',
  });

  const stored = { ...target, target: diskBackend(join(gallery.dataDir, 'files')) };
  await t.rejects(restore(stored, { file }), { code: 'BACKUP', message: /holds originals already/ });
  await t.rejects(stat(target.root), { code: 'ENOENT' }, 'a refused restore leaves nothing');
});

t.test('a restore is refused while a server runs', async (t) => {
  const target = await emptyTarget(t);
  await buildTestApp(t, { databaseUrl: target.url, dataDir: await temporaryFolder(t) });
  await t.rejects(restore(target, { file }), { message: /^A server, or another command, is working on this database/ });
});

t.test('an interrupted restore leaves no rows and can be resumed', async (t) => {
  const target = await emptyTarget(t);
  const controller = new AbortController();
  const progress = { begin: () => {}, end: () => {}, advance: () => controller.abort(new BackupError('Broken off.')) };
  await t.rejects(restore(target, { file, progress, signal: controller.signal }), { message: 'Broken off.' });
  t.match(await rowsOf(target), { users: [], images: [] });
  const [some] = (await storedFiles(target.dataDir)).filter((name) => name.startsWith('originals/'));
  t.ok(some, 'some files exist');
  // Like a disk that lost power: the right size, wrong bytes.
  const path = join(target.root, `${some}`);
  await writeFile(path, Buffer.alloc((await stat(path)).size));

  const { resumed } = await restore(target, { file });
  t.ok(resumed);
  t.same(await rowsOf(target), backedUp.rows);
  t.same(await contents(target.dataDir), backedUp.files);
});

t.test('an interrupted restore blocks the restore of another installation', async (t) => {
  const other = join(await temporaryFolder(t), 'other.tar');
  await oldBackup(other, randomUUID(), randomUUID());
  const target = await emptyTarget(t);
  const controller = new AbortController();
  const progress = { begin: () => {}, end: () => {}, advance: () => controller.abort(new BackupError('Broken off.')) };
  await t.rejects(restore(target, { file, progress, signal: controller.signal }));
  await t.rejects(restore(target, { file: other }), { message: /holds originals already/ });
});

async function damage(file: string, sha256: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.indexOf(`objects/${sha256}`) + 600;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(file, bytes);
}

/** Paths in the storage after a server has started and swept. */
async function afterStart(t: Test, target: RestoreTarget): Promise<string[]> {
  const app = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  await app.sweeps.run();
  return (await storedFiles(target.dataDir)).filter((name) => !name.startsWith('staging/'));
}

t.test('damaged bytes end a restore, and an image left out leaves no bytes', async (t) => {
  const copy = await copyOf(t);
  const { id, sha256 } = backedUp.rows.images[0]?.row ?? {};
  await damage(copy, sha256);
  const target = await emptyTarget(t);
  await t.rejects(restore(target, { file: copy }), { code: 'BACKUP', message: /The backup is damaged: its object/ });
  t.match(await rowsOf(target), { users: [], images: [] });

  const skipped: string[] = [];
  const { without } = await restore(target, { file: copy, skipDamaged: ({ key }) => skipped.push(key) });
  t.equal(without, 1);
  t.match(skipped, [id]);
  t.equal((await rowsOf(target)).images.length, 3, 'no row without its bytes');
  t.match(await target.sql`select image_count from users`, [{ image_count: 3 }]);
  t.same(
    await afterStart(t, target),
    Object.keys(backedUp.files).filter((name) => !name.includes(id)),
  );
});

t.test('a row that would produce a forged path or header is not restored', async (t) => {
  const evil: object[] = [
    { extension: 'jpg/../../../../jwt-secret' },
    { id: '../../x' },
    { content_type: 'text/html' },
    { content_type: 'image/png\r\nset-cookie: a=b' },
    { link_key: '../../admin' },
    { redaction: [{ at: -1, length: 1, fill: 0 }] },
    { size: -1 },
  ];
  const target = await emptyTarget(t);
  for (const change of evil) {
    const copy = await copyOf(t);
    await addSnapshot(copy, (lists) => {
      for (const row of lists.get('images') ?? []) Object.assign(row, change);
    });
    const message = 'A row of images in the backup is damaged, or was written by another program.';
    await t.rejects(restore(target, { file: copy }), { code: 'BACKUP', message }, JSON.stringify(change));
    t.match(await rowsOf(target), { users: [], images: [] });
    t.ok((await verifyBackup({ file: copy })).problems > 0);
  }
  await t.rejects(gallery.app.storage.remove('originals/aa/x.jpg/../../../../jwt-secret'), TypeError);
});

t.test('an image whose file is not listed is not restored, and --verify reports it', async (t) => {
  const target = await emptyTarget(t);
  for (const [which, message] of [
    ['files', /has the image \S+, and not its file originals\//],
    ['images', /has the file originals\S+, and no image that it belongs to/],
  ] as const) {
    const copy = await copyOf(t);
    await addSnapshot(copy, (lists) => {
      const id = `${lists.get('images')?.at(-1)?.id}`;
      const rest = lists.get(which)?.filter((row) => !`${row.id ?? row.key}`.includes(id));
      lists.set(which, rest ?? []);
    });
    await t.rejects(restore(target, { file: copy }), { code: 'BACKUP', message });
    await t.rejects(stat(target.root), { code: 'ENOENT' }, 'no restore was begun');
    const sentences: string[] = [];
    await verifyBackup({ file: copy, report: (sentence) => sentences.push(sentence) });
    t.match(sentences, [message]);
  }
});

t.test('restoring an older snapshot after an interrupted restore leaves no orphaned files', async (t) => {
  const archive = await openArchive(twice);
  const older = archive.snapshots[0]?.time;
  await archive.close();
  const target = await emptyTarget(t);
  const controller = new AbortController();
  let steps = 0;
  const progress = {
    begin: () => {},
    end: () => {},
    advance: () => {
      steps += 1;
      if (steps === 10) controller.abort(new BackupError('Broken off.'));
    },
  };
  await t.rejects(restore(target, { file: twice, progress, signal: controller.signal }), { message: 'Broken off.' });
  await restore(target, { file: twice, snapshot: older });
  await afterStart(t, target);
  t.same(await contents(target.dataDir), backedUp.files);
});

t.test(
  'originals behind a symbolic link count as originals, and an empty separate disk can be restored to',
  async (t) => {
    const linked = await emptyTarget(t);
    await mkdir(linked.root, { recursive: true });
    await symlink(join(gallery.dataDir, 'files', 'originals'), join(linked.root, 'originals'));
    await t.rejects(restore(linked, { file }), { message: /holds originals already/ });

    const fresh = await emptyTarget(t);
    await mkdir(join(fresh.root, 'lost+found'), { recursive: true });
    await mkdir(join(fresh.root, 'originals', 'lost+found'), { recursive: true });
    await writeFile(join(fresh.root, 'originals', 'lost+found', '#123'), 'of fsck');
    await restore(fresh, { file });

    const strange = await emptyTarget(t);
    await mkdir(strange.root, { recursive: true });
    await writeFile(join(strange.root, 'originals'), 'no folder');
    await t.rejects(restore(strange, { file }), { code: 'BACKUP', message: /originals cannot be read \(ENOTDIR\)/ });
  },
);

t.test('a backup with an older schema is migrated on restore', async (t) => {
  const file = join(await temporaryFolder(t), 'backup.tar');
  const installation = '11111111-2222-4333-8444-555555555555';
  const user = '99999999-2222-4333-8444-555555555555';
  await oldBackup(file, installation, user);
  const target = await emptyTarget(t);
  await restore(target, { file });
  t.match(await target.sql`select id, username, image_count from users`, [
    { id: user, username: 'Ann', image_count: 1 },
  ]);
  t.match(await target.sql`select filename, traces from images`, [{ filename: 'a.png', traces: null }]);
  t.match(await target.sql`select id from installation`, [{ id: installation }]);
  await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
});

t.test('a backup is restored over the empty tables of an older version', async (t) => {
  const target = await emptyTarget(t);
  await beforeOrphanedBlobs(target.url);
  await restore(target, { file });
  t.same(await rowsOf(target), backedUp.rows);
  await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
});

/** A backup as the first version wrote it. */
async function oldBackup(path: string, installation: string, user: string): Promise<void> {
  const file = await openBackupFile(path, { installation, full: false });
  const original = await file.writer.putBytes(Buffer.from('the bytes of a picture'));
  const id = '018f0000-0000-7000-8000-0000000000ab';
  const table = async (name: string, row: object) => {
    const parts = createParts(file.writer);
    parts.add(JSON.stringify(row));
    await parts.cut();
    return { name, columns: Object.keys(row), rows: 1, parts: parts.cuts };
  };
  const tables = [
    await table('users', {
      id: user,
      username: 'Ann',
      username_key: 'ann',
      email: 'ann@example.com',
      email_key: 'ann@example.com',
      password_hash: 'x',
      created_at: '2026-01-01T00:00:00+00:00',
    }),
    await table('images', {
      id,
      owner_id: user,
      link_key: 'k',
      filename: 'a.png',
      search_name: 'a.png',
      extension: 'png',
      content_type: 'image/png',
      size: original.size,
      sha256: original.sha256,
      width: 1,
      height: 1,
      placeholder: '',
      has_screen: false,
      uploaded_at: '2026-01-01T00:00:00+00:00',
    }),
  ];
  const parts = createParts(file.writer);
  parts.add(JSON.stringify({ key: `originals/ab/${id}.png`, ...original }));
  await parts.cut();
  await file.writer.seal({
    format: 1,
    program: '0.0.1',
    time: '2026-01-01T00:00:00.000Z',
    installation,
    schema: 1795266151441,
    tables,
    files: { count: 1, bytes: original.size, missing: 0, damaged: 0, parts: parts.cuts },
  });
  await file.finish();
}

t.test('a backup with a newer schema is refused in one line', async (t) => {
  const file = join(await temporaryFolder(t), 'backup.tar');
  const installation = '11111111-2222-4333-8444-555555555555';
  const written = await openBackupFile(file, { installation, full: false });
  const files = { count: 0, bytes: 0, missing: 0, damaged: 0, parts: [] };
  const time = '2031-01-01T00:00:00.000Z';
  await written.writer.seal({ format: 1, program: '9.0.0', time, installation, schema: 1.9e12, tables: [], files });
  await written.finish();
  const target = await emptyTarget(t);
  await t.rejects(restore(target, { file }), { code: 'BACKUP', message: /was made by version 9\.0\.0/ });
  await t.rejects(stat(target.root), { code: 'ENOENT' });
});

t.test('a path in a backup cannot leave the storage', async (t) => {
  const copy = await copyOf(t);
  await addSnapshot(copy, async (lists, writer) => {
    const stored = await writer.putBytes(Buffer.from('evil'));
    lists.set('files', [{ key: 'originals/../../../evil.png', ...stored }]);
  });
  const target = await emptyTarget(t);
  await t.rejects(restore(target, { file: copy }), {
    code: 'BACKUP',
    message: /is damaged, or was written by another program/,
  });
  await t.rejects(stat(join(target.dataDir, 'evil.png')), { code: 'ENOENT' });
});
