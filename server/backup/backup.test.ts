import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { StorageUnavailable } from '../errors.ts';
import { sha256Of } from '../lib/sha256.ts';
import { temporaryFolder } from '../testing/app.ts';
import { emptied, type Gallery, startGallery } from '../testing/collections/backup.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise, picture } from '../testing/pictures.ts';
import { openArchive } from './archive/reader.ts';
import type { Issue } from './image-files.ts';
import { verifyBackup } from './verify.ts';

const shared = await startGallery(t);

async function upload({ app, account }: Gallery, count: number, size = 40) {
  const files = Array.from({ length: count }, async (_, number) => ({
    name: `picture ${number}.png`,
    bytes: await noise(size + number, size, 'png'),
  }));
  return storeFiles(app, account, await Promise.all(files));
}

async function objectsIn(file: string): Promise<Set<string>> {
  const archive = await openArchive(file);
  try {
    return new Set([...archive.eachObject()].map(({ sha256 }) => sha256));
  } finally {
    await archive.close();
  }
}

async function storedHashes({ dataDir }: Gallery): Promise<string[]> {
  const files = (await storedFiles(dataDir)).filter((name) => /^(originals|thumbnails|screens)\//.test(name));
  return Promise.all(files.map(async (name) => sha256Of(await readFile(join(dataDir, 'files', name)))));
}

t.test('a backup holds every file by its SHA-256 and reports its size', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 5);
  const file = join(await temporaryFolder(t), 'backup.tar');
  const result = await gallery.backUp(file);
  const objects = await objectsIn(file);
  for (const hash of await storedHashes(gallery)) t.ok(objects.has(hash));
  t.match(result, { issues: 0, deleted: 0, complaints: 0 });
  t.match(result.manifest.files, { count: 10, missing: 0, damaged: 0 });
  t.same(
    result.manifest.tables.map(({ name, rows }) => [name, rows]),
    [
      ['installation', 1],
      ['users', 1],
      ['identities', 0],
      ['passkeys', 0],
      ['totp_secrets', 0],
      ['recovery_codes', 0],
      ['invites', 0],
      ['audit_log', 2],
      ['images', 5],
      ['albums', 0],
      ['album_images', 0],
      ['stable_links', 0],
      ['shares', 0],
      ['share_images', 0],
      ['held_names', 0],
      ['collect_links', 0],
      ['collect_guests', 0],
      ['collected_images', 0],
    ],
  );
  t.match(await verifyBackup({ file }), { snapshots: 1, objects: objects.size, problems: 0 });
});

t.test('a backup contains no sessions and no login attempts', async (t) => {
  const gallery = await emptied(shared);
  const file = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(file);
  const [session] = await gallery.sql`select id::text as id from sessions`;
  t.notOk((await readFile(file)).includes(session?.id));
});

t.test('a second backup of 20 unchanged images adds less than a hundredth', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 20, 120);
  const file = join(await temporaryFolder(t), 'backup.tar');
  const first = await gallery.backUp(file);
  const second = await gallery.backUp(file);
  t.equal(second.added.objects, 0);
  t.ok(second.added.bytes < first.added.bytes / 100, `${second.added.bytes} of ${first.added.bytes} bytes`);
  t.match(await verifyBackup({ file }), { snapshots: 2, problems: 0 });
});

t.test('a backup of a gallery that has grown adds only the new objects', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 3, 300);
  const file = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(file);
  await storeFiles(gallery.app, gallery.account, [{ name: 'new.png', bytes: await picture() }]);
  const { added } = await gallery.backUp(file);
  t.equal(added.objects, 5, 'its original and thumbnail, its row and files, and its owner’s row');
});

t.test('--full starts a file without the old snapshots', async (t) => {
  const gallery = await emptied(shared);
  const [image] = await upload(gallery, 1);
  const file = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(file);
  await gallery.app.inject({
    method: 'DELETE',
    url: `/api/images/delete/${image?.id}`,
    headers: gallery.account.bearer,
  });
  await gallery.backUp(file, { full: true });
  const archive = await openArchive(file);
  t.teardown(() => archive.close());
  t.equal(archive.snapshots.length, 1);
  t.equal([...archive.eachObject()].length, 3, 'the installation, the user and the audit log');
});

t.test('an image deleted during the backup is left out with its row and files', async (t) => {
  const gallery = await emptied(shared);
  const images = await upload(gallery, 3);
  const file = join(await temporaryFolder(t), 'backup.tar');
  const last = images.map(({ id }) => id).sort()[2];
  let deletion: Promise<unknown> | undefined;
  const onRead = async () => {
    const url = `/api/images/delete/${last}`;
    deletion ??= gallery.app.inject({ method: 'DELETE', url, headers: gallery.account.bearer });
    await deletion;
  };
  const { issues, deleted, manifest } = await gallery.backUp(file, { onRead });
  t.same([issues, deleted, manifest.files.count], [0, 1, 4]);
  t.match(await verifyBackup({ file }), { problems: 0 });
});

async function originalOf({ dataDir }: Gallery, id: string | undefined): Promise<string> {
  const name = (await storedFiles(dataDir)).find((each) => each.startsWith('originals/') && each.includes(`${id}`));
  return join(dataDir, 'files', `${name}`);
}

t.test('lost, damaged and shortened files are reported, and everything else is backed up', async (t) => {
  const gallery = await emptied(shared);
  const [lost, damaged, short, good] = await upload(gallery, 4);
  await rm(await originalOf(gallery, lost?.id));
  const path = await originalOf(gallery, damaged?.id);
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
  await writeFile(path, bytes);
  const cut = await open(await originalOf(gallery, short?.id), 'r+');
  await cut.truncate(50);
  await cut.close();

  const file = join(await temporaryFolder(t), 'backup.tar');
  const found: Issue[] = [];
  const { manifest, issues } = await gallery.backUp(file, { report: (issue) => found.push(issue) });
  const kinds = new Map(found.map(({ key, kind }) => [key.split('/')[2]?.slice(0, 36), kind]));
  t.same(
    kinds,
    new Map([
      [lost?.id, 'missing'],
      [damaged?.id, 'damaged'],
      [short?.id, 'damaged'],
    ]),
  );
  t.equal(issues, 3);
  t.match(manifest.files, { count: 7, missing: 1, damaged: 2 });
  const objects = await objectsIn(file);
  t.ok(objects.has(sha256Of(bytes)), 'the damaged bytes are kept under their own hash');
  t.ok(objects.has(sha256Of(await readFile(await originalOf(gallery, good?.id)))));
  t.match(await verifyBackup({ file }), { problems: 0 });
});

t.test('a file lost since the last backup is in the next snapshot', async (t) => {
  const gallery = await emptied(shared);
  const [image] = await upload(gallery, 1);
  const file = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(file);
  await rm(await originalOf(gallery, image?.id));
  const { manifest, issues } = await gallery.backUp(file);
  t.equal(issues, 1);
  t.match(manifest.files, { count: 2, missing: 0 });
});

t.test('two backups cannot write the same file at once', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 2);
  const file = join(await temporaryFolder(t), 'backup.tar');
  let second: Promise<unknown> | undefined;
  const onRead = async () => {
    second ??= t.rejects(gallery.backUp(file), { code: 'BACKUP', message: /^Another backup is writing/ });
    await second;
  };
  await gallery.backUp(file, { onRead });
  t.match(await verifyBackup({ file }), { snapshots: 1, problems: 0 });
});

t.test('a backup is refused if the storage does not belong to the database', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 1);
  const marker = join(gallery.dataDir, 'files', 'installation');
  t.teardown(() => rename(`${marker}-elsewhere`, marker));
  await rename(marker, `${marker}-elsewhere`);
  const file = join(await temporaryFolder(t), 'backup.tar');
  await t.rejects(gallery.backUp(file));
  await t.rejects(stat(file), { code: 'ENOENT' });
});

t.test('a brief throttling of the storage loses no file', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 2);
  const file = join(await temporaryFolder(t), 'backup.tar');
  let reads = 0;
  const onRead = async () => {
    reads += 1;
    const cause = Object.assign(new Error('reduce your rate'), { name: 'SlowDown' });
    if (reads === 1) throw Object.assign(new StorageUnavailable(), { cause });
  };
  t.match(await gallery.backUp(file, { onRead, pauses: [1] }), { issues: 0, manifest: { files: { missing: 0 } } });
  t.match(await verifyBackup({ file }), { problems: 0 });
});

t.test('a storage unmounted during the backup ends it instead of reporting every picture lost', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 2);
  const file = join(await temporaryFolder(t), 'backup.tar');
  const away = `${gallery.dataDir}/away`;
  const onRead = () => rename(join(gallery.dataDir, 'files'), away).catch(() => undefined);
  const reported: Issue[] = [];
  const report = (issue: Issue) => reported.push(issue);
  await t.rejects(gallery.backUp(file, { onRead, report, pauses: [1] }), { code: 'STORAGE_UNAVAILABLE' });
  t.same(reported, []);
  await t.rejects(stat(file), { code: 'ENOENT' });
  await rename(away, join(gallery.dataDir, 'files'));
});
