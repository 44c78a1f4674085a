/** A backup made with a key: what is readable without the key, and which changes are refused. */
import { createHash, randomBytes } from 'node:crypto';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { sha256Of } from '../lib/sha256.ts';
import { testKeyring } from '../storage/testing/keyring.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { emptyTarget, type Gallery, type RestoreTarget, startGallery } from '../testing/collections/backup.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { openArchive } from './archive/reader.ts';
import { backUp } from './backup.ts';
import { restore } from './restore/restore.ts';
import { verifyBackup } from './verify.ts';

const [one, other] = [randomBytes(32), randomBytes(32)];
const idOf = (key: Buffer) => testKeyring(key).present.id;

/** An account with two pictures in an album that has a public page. */
async function filled(t: Test, settings: { encryptionKey?: Buffer } = { encryptionKey: one }): Promise<Gallery> {
  const gallery = await startGallery(t, settings);
  const { app, account } = gallery;
  const images = await storeFiles(app, account, [
    { name: 'a-telling-filename.jpg', bytes: await noise(120, 90) },
    { name: 'another.jpg', bytes: await noise(100, 90) },
  ]);
  const headers = account.bearer;
  const album = await app.inject({ method: 'POST', url: '/api/albums', headers, payload: { name: 'A telling album' } });
  const { id } = album.json().album;
  const payload = { ids: images.map((image) => image.id) };
  const added = await app.inject({ method: 'POST', url: `/api/albums/${id}/images`, headers, payload });
  const linked = await app.inject({ method: 'POST', url: `/api/albums/${id}/link`, headers });
  if (added.statusCode !== 200 || linked.statusCode !== 200) throw new Error(`${added.body} ${linked.body}`);
  return gallery;
}

const gallery = await filled(t);
/** Tests that write to it take a copy. */
const file = join(await temporaryFolder(t), 'backup.tar');
const result = await gallery.backUp(file);

async function copyOf(t: Test): Promise<string> {
  const copy = join(await temporaryFolder(t), 'backup.tar');
  await copyFile(file, copy);
  return copy;
}

/** Every value in the rows about people and pictures, in all encodings. */
async function secretsOf({ sql }: Gallery): Promise<Record<string, Buffer>> {
  const secrets: Record<string, Buffer> = {};
  const take = (name: string, value: unknown) => {
    if (typeof value === 'string' && value.length >= 5) secrets[name] = Buffer.from(value);
  };
  for (const table of ['users', 'images', 'albums']) {
    for (const [index, { row }] of (await sql`select to_jsonb(t) as row from ${sql(table)} t`).entries()) {
      for (const [column, value] of Object.entries(row)) {
        if (column === 'content_type' || column === 'extension') continue;
        take(`${table} ${index} ${column}`, value);
        if (column.endsWith('sha256') && value) secrets[`raw ${column} ${index}`] = Buffer.from(`${value}`, 'hex');
        if (column === 'placeholder') secrets[`raw placeholder ${index}`] = Buffer.from(`${value}`, 'base64');
        if (column === 'link_key' || column === 'id') {
          secrets[`base64 of ${table} ${column} ${index}`] = Buffer.from(Buffer.from(`${value}`).toString('base64'));
        }
      }
    }
  }
  return secrets;
}

t.test('a backup made with a key contains no row value in plain text', async (t) => {
  t.match(result, { issues: 0, complaints: 0 });
  const secrets = await secretsOf(gallery);
  t.ok(Object.keys(secrets).length > 30, 'rows hold values to search for');
  const bytes = await readFile(file);
  for (const [name, secret] of Object.entries(secrets)) t.notOk(bytes.includes(secret), name);
  for (const word of ['telling', 'images', 'link_key', 'argon2', '@example']) t.notOk(bytes.includes(word), word);
});

t.test('a backup made with a key seals pictures that are stored plain, once each', async (t) => {
  const gallery = await filled(t, {});
  const settings = { databaseUrl: gallery.url, dataDir: gallery.dataDir, encryptionKey: one };
  await gallery.app.close();
  const { storage } = await buildTestApp(t, settings);
  const file = join(await temporaryFolder(t), 'backup.tar');
  const run = () => backUp({ sql: gallery.sql, storage, version: '0.1.0' }, { file });
  t.match(await run(), { issues: 0, manifest: { files: { count: 4 } } });
  const bytes = await readFile(file);
  for (const [name, secret] of Object.entries(await secretsOf(gallery))) t.notOk(bytes.includes(secret), name);
  for await (const key of ['originals', 'thumbnails']) {
    const [stored = Buffer.alloc(0)] = await storedIn(gallery, key);
    for (let at = 0; at + 16 < stored.length; at += 499) {
      if (bytes.includes(stored.subarray(at, at + 16))) t.fail(`16 bytes of one of the ${key} are in it in plain text`);
    }
  }
  t.match(await run(), { issues: 0, added: { objects: 0 } }, 'objects it holds are not stored again');
  t.match(await verifyBackup({ file, keyring: testKeyring(one) }), { snapshots: 2, problems: 0, unchecked: 0 });
  const target = await emptyTarget(t);
  await restore({ ...target, keyring: testKeyring(one) }, { file });
  t.match(await target.sql`select count(*)::int as count from images`, [{ count: 2 }]);
});

async function storedIn({ dataDir }: Gallery, folder: string): Promise<Buffer[]> {
  const paths = (await storedFiles(dataDir)).filter((path) => path.startsWith(folder));
  return Promise.all(paths.map((path) => readFile(join(dataDir, 'files', path))));
}

t.test('a sealed backup is restored with its key; without it the restore is refused and changes nothing', async (t) => {
  const target = await emptyTarget(t);
  for (const keyring of [undefined, testKeyring(other)]) {
    const message = new RegExp(`^[^\n]*is sealed by the key ${idOf(one)}, which is not given[^\n]*$`);
    await t.rejects(restore({ ...target, keyring }, { file }), { code: 'BACKUP', message });
  }
  await t.rejects(stat(target.root), { code: 'ENOENT' });
  await restore({ ...target, keyring: testKeyring(one) }, { file });
  for (const table of ['users', 'images', 'albums', 'album_images']) {
    const rows = async (sql: Gallery['sql']) => {
      const found =
        await sql`select to_jsonb(t) - 'renditions_due' - 'thumbnail_avif_sha256' as row from ${sql(table)} t`;
      return found.map(({ row }) => JSON.stringify(row)).sort();
    };
    t.same(await rows(target.sql), await rows(gallery.sql), table);
  }
});

t.test('verification without the key checks the stored bytes and reports what it could not check', async (t) => {
  t.match(await verifyBackup({ file }), { snapshots: 1, problems: 0, unchecked: 1 });
  t.match(await verifyBackup({ file, keyring: testKeyring(one) }), { snapshots: 1, problems: 0, unchecked: 0 });
  const sentences: string[] = [];
  const report = (sentence: string) => sentences.push(sentence);
  t.match(await verifyBackup({ file, keyring: testKeyring(other), report }), { problems: 1, unchecked: 0 });
  t.match(sentences, [new RegExp(idOf(one))]);
});

async function bodyOf(file: string, name: string): Promise<{ at: number; size: number }> {
  const header = (await readFile(file)).indexOf(name);
  if (header < 0) throw new Error(`no ${name}`);
  const size = Number.parseInt((await readFile(file)).toString('latin1', header + 124, header + 135), 8);
  return { at: header + 512, size };
}

async function objectsOf(file: string) {
  const archive = await openArchive(file, testKeyring(one));
  const [snapshot] = archive.snapshots;
  if (!snapshot) throw new Error('no snapshot');
  const manifest = await archive.readManifest(snapshot);
  await archive.close();
  const parts = [...manifest.tables.flatMap((table) => table.parts), ...manifest.files.parts];
  return { time: snapshot.time, parts: parts.map(({ sealed }) => sealed?.sha256 ?? '') };
}

async function refused(t: Test, target: RestoreTarget, file: string, what: string) {
  await t.rejects(restore({ ...target, keyring: testKeyring(one) }, { file }), { code: 'BACKUP' }, what);
  t.same([...(await target.sql`select id from users`)], [], what);
  t.ok((await verifyBackup({ file, keyring: testKeyring(one) })).problems > 0, `${what}, reported by --verify`);
}

t.test('a flipped bit anywhere in the sealed rows is refused, even with matching hashes', async (t) => {
  const target = await emptyTarget(t);
  const { time, parts } = await objectsOf(file);
  t.ok(parts.length >= 6);
  const copy = join(await temporaryFolder(t), 'changed.tar');
  for (const sha256 of parts) {
    const { at, size } = await bodyOf(file, `objects/${sha256}`);
    const bytes = await readFile(file);
    const middle = at + Math.floor(size / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await writeFile(copy, bytes);
    await refused(t, target, copy, sha256);
  }
  const manifest = await bodyOf(file, `snapshots/${time}/manifest.sealed`);
  const sum = await bodyOf(file, `snapshots/${time}/manifest.sha256`);
  for (const offset of [3, 30, 100, 180, 200, 240, manifest.size - 1]) {
    const bytes = await readFile(file);
    bytes[manifest.at + offset] = (bytes[manifest.at + offset] ?? 0) ^ 1;
    bytes.write(sha256Of(bytes.subarray(manifest.at, manifest.at + manifest.size)), sum.at);
    await writeFile(copy, bytes);
    await refused(t, target, copy, `byte ${offset} of the manifest`);
  }
});

t.test("a manifest moved to another snapshot's time or another file is refused", async (t) => {
  const target = await emptyTarget(t);
  const file = await copyOf(t);
  const second = join(await temporaryFolder(t), 'second.tar');
  await gallery.backUp(second);
  await gallery.backUp(file);
  const archive = await openArchive(file);
  const [early = '', late = ''] = archive.snapshots.map(({ time }) => time);
  await archive.close();
  const copy = join(await temporaryFolder(t), 'changed.tar');
  const put = async (from: string, name: string) => {
    const taken = await bodyOf(from, name);
    const body = (await readFile(from)).subarray(taken.at, taken.at + taken.size);
    const manifest = await bodyOf(file, `snapshots/${late}/manifest.sealed`);
    const sum = await bodyOf(file, `snapshots/${late}/manifest.sha256`);
    const bytes = await readFile(file);
    if (body.length !== manifest.size) throw new Error(`${body.length} and ${manifest.size} bytes`);
    body.copy(bytes, manifest.at);
    bytes.write(createHash('sha256').update(body).digest('hex'), sum.at);
    await writeFile(copy, bytes);
  };
  await put(file, `snapshots/${early}/manifest.sealed`);
  await refused(t, target, copy, 'an earlier manifest of the file');
  const other = await openArchive(second);
  const [time = ''] = other.snapshots.map((snapshot) => snapshot.time);
  await other.close();
  await put(second, `snapshots/${time}/manifest.sealed`);
  await refused(t, target, copy, 'a manifest of another file');
});

t.test('a backup is not continued in the other form, plain or sealed; --full starts it again', async (t) => {
  const plainly = (path: string) => gallery.backUp(path, { plainRows: true });
  const before = await readFile(file);
  await t.rejects(plainly(file), { code: 'BACKUP', message: /is sealed.*no ENCRYPTION_KEY.*another file/ });
  t.ok((await readFile(file)).equals(before));

  const plain = join(await temporaryFolder(t), 'plain.tar');
  await plainly(plain);
  const text = await readFile(plain);
  t.ok(text.includes('a-telling-filename'));
  await t.rejects(gallery.backUp(plain), { code: 'BACKUP', message: /in the clear.*another file.*--full/ });
  t.ok((await readFile(plain)).equals(text));
  await gallery.backUp(plain, { full: true });
  t.notOk((await readFile(plain)).includes('a-telling-filename'));
});

t.test("an earlier version's backup, with plain rows and sealed pictures, is verified and restored", async (t) => {
  const file = join(await temporaryFolder(t), 'earlier.tar');
  await gallery.backUp(file, { plainRows: true });
  const archive = await openArchive(file);
  t.match(archive.header, { format: 1 });
  await archive.close();
  t.match(await verifyBackup({ file }), { snapshots: 1, problems: 0, unchecked: 0 });
  const target = await emptyTarget(t);
  await t.rejects(restore(target, { file }), { message: new RegExp(idOf(one)) });
  await restore({ ...target, keyring: testKeyring(one) }, { file });
  t.match(await target.sql`select count(*)::int as count from images`, [{ count: 2 }]);
});

t.test(
  'a backup continued after a key rotation, with both keys given, then opens with the new key alone',
  async (t) => {
    const gallery = await filled(t);
    const file = join(await temporaryFolder(t), 'backup.tar');
    await gallery.backUp(file);
    await gallery.app.close();
    const settings = { databaseUrl: gallery.url, dataDir: gallery.dataDir, encryptionKey: other };
    const app = await buildTestApp(t, { ...settings, encryptionKeyPrevious: [one] });
    for (const path of await storedFiles(gallery.dataDir)) {
      if (/^(originals|thumbnails)/.test(path)) await app.storage.sealing?.rewrap(path, null, async () => true);
    }
    await gallery.sql`update installation set sealed_by = ${`{${idOf(other)}}`}::text[]`;
    const stray = join(await temporaryFolder(t), 'stray.tar');
    await copyFile(file, stray);
    const { sealing } = app.storage;
    if (!sealing) throw new Error('no key');
    const alone = { ...app.storage, sealing: { ...sealing, keyring: testKeyring(other) } };
    await t.rejects(backUp({ sql: gallery.sql, storage: alone, version: '0.1.0' }, { file: stray }), {
      code: 'BACKUP',
      message: new RegExp(`sealed by the key ${idOf(one)}, which is not given.*ENCRYPTION_KEY_PREVIOUS.*--full`),
    });
    const again = await backUp({ sql: gallery.sql, storage: app.storage, version: '0.1.0' }, { file });
    t.equal(again.issues, 0);
    t.ok(again.added.objects <= 3, 'only the changed rows are stored again');
    await restore({ ...(await emptyTarget(t)), keyring: testKeyring(other) }, { file });
    t.match(await backUp({ sql: gallery.sql, storage: alone, version: '0.1.0' }, { file }), { added: { objects: 0 } });
  },
);
