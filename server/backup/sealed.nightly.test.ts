import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type postgres from 'postgres';
import t, { type Test } from 'tap';
import { configuredKeys } from '../storage/sealed/keyring.ts';
import { testKeyring } from '../storage/testing/keyring.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { emptyTarget, startGallery } from '../testing/collections/backup.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { restore } from './restore/restore.ts';
import { verifyBackup } from './verify.ts';

t.setTimeout(240_000);

const [one, other] = [randomBytes(32), randomBytes(32)];
const idOf = (key: Buffer) => testKeyring(key).present.id;
const pathOf = (url: string) => new URL(url).pathname;

/** A gallery with sealed pictures, and a backup of it. */
async function backedUp(t: Test, options: { plainRows?: boolean } = {}) {
  const gallery = await startGallery(t, { encryptionKey: one });
  const pictures = await Promise.all([1, 2, 3].map((number) => noise(300 + number, 200)));
  const files = pictures.map((bytes, index) => ({ name: `${index}.jpg`, bytes }));
  const images = await storeFiles(gallery.app, gallery.account, files);
  const links = images.flatMap(({ url, thumbnail_url }) => [pathOf(url), pathOf(thumbnail_url)]);
  const given = await Promise.all(links.map(async (link) => (await gallery.app.inject(link)).rawPayload));
  const file = join(await temporaryFolder(t), 'backup.tar');
  const result = await gallery.backUp(file, options);
  return { gallery, file, result, links, given };
}

const marksIn = async (sql: postgres.Sql) => [
  ...(await sql`select distinct sealed, renditions_sealed as renditions from images`),
];

const sealedIn = async (dataDir: string) =>
  Promise.all(
    (await storedFiles(dataDir))
      .filter((path) => !path.startsWith('staging'))
      .map(async (path) => (await readFile(join(dataDir, 'files', path))).subarray(1, 7).toString() === 'SEALED'),
  );

t.test('a backup of sealed pictures is whole and contains none in plain text', async (t) => {
  const { file, result, given } = await backedUp(t);
  t.match(result, { issues: 0, complaints: 0, manifest: { files: { count: 6, missing: 0, damaged: 0 } } });
  const bytes = await readFile(file);
  for (const picture of given) {
    for (let at = 0; at < picture.length - 16; at += 499) {
      if (bytes.includes(picture.subarray(at, at + 16))) t.fail('16 bytes of a picture are in it in plain text');
    }
  }
  t.match(await verifyBackup({ file }), { snapshots: 1, problems: 0 });
});

t.test('objects in a sealed backup are not read or written again, even under another key', async (t) => {
  const { gallery, file } = await backedUp(t);
  const before = (await stat(file)).size;
  const again = await gallery.backUp(file);
  t.match(again, { issues: 0, added: { objects: 0 } });
  await gallery.app.close();
  const settings = { databaseUrl: gallery.url, dataDir: gallery.dataDir };
  const app = await buildTestApp(t, { ...settings, encryptionKey: other, encryptionKeyPrevious: [one] });
  const { sealing } = app.storage;
  for (const path of await storedFiles(gallery.dataDir)) {
    if (/^(originals|thumbnails)/.test(path)) t.equal(await sealing?.rewrap(path, null, async () => false), 'done');
  }
  const { backUp } = await import('./backup.ts');
  const rotated = await backUp({ sql: gallery.sql, storage: app.storage, version: '0.1.0' }, { file });
  t.equal(rotated.issues, 0);
  t.ok(rotated.added.objects <= 3, 'only lists and rows, no picture');
  t.ok((await stat(file)).size < before + 40_000);
  const target = await emptyTarget(t);
  await restore({ ...target, keyring: testKeyring(other, one) }, { file });
});

t.test('a sealed backup is restored with its key and sealed again', async (t) => {
  const { file, links, given } = await backedUp(t);
  const target = await emptyTarget(t);
  await restore({ ...target, keyring: testKeyring(other, one) }, { file });
  t.ok((await sealedIn(target.dataDir)).every(Boolean));
  t.same([...(await target.sql`select unnest(sealed_by) as id from installation`)], [{ id: idOf(other) }]);
  t.same(await marksIn(target.sql), [{ sealed: true, renditions: true }]);
  const app = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir, encryptionKey: other });
  for (const [at, link] of links.entries())
    t.ok((await app.inject(link)).rawPayload.equals(given[at] ?? Buffer.alloc(0)));
});

t.test('a sealed backup restored with only a previous key is stored plain', async (t) => {
  const { file, links } = await backedUp(t);
  const target = await emptyTarget(t);
  const keyring = configuredKeys({ encryptionKey: undefined, encryptionKeyPrevious: [one] });
  await restore({ ...target, keyring }, { file });
  t.ok((await sealedIn(target.dataDir)).every((sealed) => !sealed));
  t.same(await marksIn(target.sql), [{ sealed: false, renditions: false }]);
  const app = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  for (const link of links) t.equal((await app.inject(link)).statusCode, 200);
});

t.test('a restore without the key changes nothing and names the key', async (t) => {
  const { file } = await backedUp(t);
  const target = await emptyTarget(t);
  for (const keyring of [undefined, testKeyring(other)]) {
    await t.rejects(restore({ ...target, keyring }, { file }), {
      code: 'BACKUP',
      message: new RegExp(`^[^\n]*${idOf(one)}[^\n]*$`),
    });
  }
  await t.rejects(stat(target.root), { code: 'ENOENT' });
  t.same([...(await target.sql`select id from users`)], []);
});

t.test('the documented recipe extracts sealed files unchanged if the lists are plain', async (t) => {
  const { gallery, file } = await backedUp(t, { plainRows: true });
  const recipe = /by hand, into `files\/`[^`]*(?:`[^`]+`[^`]*)*?```sh\n(.*?)```/s.exec(
    readFileSync('docs/run/backup.md', 'utf8'),
  )?.[1];
  t.match(recipe, 'sealed.beginning');
  const folder = dirname(file);
  await rename(file, join(folder, 'gallery.tar'));
  await promisify(execFile)('bash', ['-euc', `${recipe}`], { cwd: folder });
  const stored = (await storedFiles(gallery.dataDir)).filter((name) => /^(originals|thumbnails)/.test(name));
  t.equal(stored.length, 6);
  for (const name of stored) {
    const taken = await readFile(join(folder, 'files', name));
    t.ok(taken.equals(await readFile(join(gallery.dataDir, 'files', name))), name);
  }
});

t.test('a plain backup restored with a key is sealed', async (t) => {
  const gallery = await startGallery(t);
  await storeFiles(gallery.app, gallery.account, [{ name: 'a.jpg', bytes: await noise(300, 200) }]);
  const file = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(file);
  const target = await emptyTarget(t);
  await restore({ ...target, keyring: testKeyring(one) }, { file });
  t.ok((await sealedIn(target.dataDir)).every(Boolean));
  t.same(await marksIn(target.sql), [{ sealed: true, renditions: true }]);
});

t.test('a damaged sealed file is reported, and the backup keeps its earlier copy', async (t) => {
  const { gallery, file } = await backedUp(t);
  const [path = ''] = await storedFiles(gallery.dataDir);
  const stored = join(gallery.dataDir, 'files', path);
  const bytes = await readFile(stored);
  await writeFile(stored, Buffer.from(bytes).fill(7, bytes.length - 40, bytes.length - 30));
  const found: unknown[] = [];
  const full = join(await temporaryFolder(t), 'full.tar');
  await gallery.backUp(full, { report: (issue) => found.push(issue) });
  t.match(found, [{ key: path, kind: 'damaged', detail: 'its seal is broken' }]);
  t.equal((await gallery.backUp(file)).issues, 0, 'a backup that holds the file does not read it again');
  await restore({ ...(await emptyTarget(t)), keyring: testKeyring(one) }, { file });
});

const headers = { 'the magic': 3, 'the wrapped key': 60, 'the stream’s header': 190 };
for (const [what, at] of Object.entries(headers)) {
  t.test(
    `a sealed file with damage in ${what} of its header is reported and restored from the earlier copy`,
    async (t) => {
      const { gallery, file, links, given } = await backedUp(t);
      const [path = ''] = await storedFiles(gallery.dataDir);
      const stored = join(gallery.dataDir, 'files', path);
      const bytes = await readFile(stored);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(stored, bytes);
      const found: unknown[] = [];
      const second = await gallery.backUp(file, { report: (issue) => found.push(issue) });
      t.match(found, [{ key: path, kind: 'damaged', detail: /; the backup holds it from before$/ }]);
      t.match(second.manifest.files, { count: 6, missing: 0, damaged: 0 });
      await rm(stored);
      const third = await gallery.backUp(file);
      t.match(third, { issues: 1, manifest: { files: { count: 6, missing: 0, damaged: 0 } } }, 'a lost file too');
      const target = await emptyTarget(t);
      await restore({ ...target, keyring: testKeyring(one) }, { file });
      const app = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir, encryptionKey: one });
      for (const [at, link] of links.entries()) t.ok((await app.inject(link)).rawPayload.equals(given[at] ?? bytes));
    },
  );
}

t.test('objects from an earlier snapshot open with the present key alone', async (t) => {
  const { gallery, file } = await backedUp(t);
  await gallery.app.close();
  const settings = { databaseUrl: gallery.url, dataDir: gallery.dataDir };
  const app = await buildTestApp(t, { ...settings, encryptionKey: other, encryptionKeyPrevious: [one] });
  const [path = '', ...rest] = (await storedFiles(gallery.dataDir)).filter((name) => !name.startsWith('staging'));
  for (const name of rest) await app.storage.sealing?.rewrap(name, null, async () => true);
  await rm(join(gallery.dataDir, 'files', path));
  await gallery.sql`update installation set sealed_by = ${`{${idOf(other)}}`}::text[]`;
  const { backUp } = await import('./backup.ts');
  const result = await backUp({ sql: gallery.sql, storage: app.storage, version: '0.1.0' }, { file });
  t.match(result, { issues: 1, manifest: { files: { count: 6, missing: 0 } } });
  await restore({ ...(await emptyTarget(t)), keyring: testKeyring(other) }, { file });
});

t.test('a flipped bit in a sealed backup is detected and nothing is restored', async (t) => {
  const { gallery, file } = await backedUp(t);
  const [path = ''] = await storedFiles(gallery.dataDir);
  const middle = (await readFile(join(gallery.dataDir, 'files', path))).subarray(1000, 1032);
  const bytes = await readFile(file);
  const at = bytes.indexOf(middle);
  t.ok(at > 0, 'the sealed file is copied unchanged');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
  t.match(await verifyBackup({ file }), { problems: 1 });
  const target = await emptyTarget(t);
  await t.rejects(restore({ ...target, keyring: testKeyring(one) }, { file }), { code: 'BACKUP', message: /damaged/ });
  t.same([...(await target.sql`select id from images`)], []);
});
