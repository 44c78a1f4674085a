/** Backup and restore of pictures that several images share. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { sha256Of } from '../lib/sha256.ts';
import { logIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { addSnapshot } from '../testing/collections/altered-backup.ts';
import { emptied, emptyTarget, type Gallery, type RestoreTarget, startGallery } from '../testing/collections/backup.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import type { Issue } from './image-files.ts';
import { restore } from './restore/restore.ts';
import { verifyBackup } from './verify.ts';

async function contents(dataDir: string): Promise<Record<string, string>> {
  const names = (await storedFiles(dataDir)).filter((name) => !name.startsWith('staging/'));
  const hashed = names.map(async (name) => [name, sha256Of(await readFile(join(dataDir, 'files', name)))]);
  return Object.fromEntries(await Promise.all(hashed));
}

const imagesOf = async ({ sql }: Gallery | RestoreTarget) => [
  ...(await sql`select to_jsonb(images) as row from images order by id`),
];

const remove = ({ app, account }: Gallery, id: string | undefined) =>
  app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });

const started = await startGallery(t);

/** Three images that share one picture, whose first uploader is deleted, and one image of another picture. */
async function backedUp(t: Test) {
  const gallery = await emptied(started);
  const bytes = await noise(60, 40, 'png');
  const names = ['a.png', 'b.png', 'c.png'];
  const [first, ...shared] = await storeFiles(
    gallery.app,
    gallery.account,
    names.map((name) => ({ name, bytes })),
  );
  await storeFiles(gallery.app, gallery.account, [{ name: 'd.png', bytes: await noise(50, 40, 'png') }]);
  await remove(gallery, first?.id);
  const file = join(await temporaryFolder(t), 'backup.tar');
  const result = await gallery.backUp(file);
  const original = (await storedFiles(gallery.dataDir)).find(
    (name) => name.startsWith('originals/') && name.includes(`${first?.id}`),
  );
  const path = join(gallery.dataDir, 'files', `${original}`);
  return { gallery, file, result, shared, bytes, path };
}

t.test('shared bytes are backed up once and restored for all their images', async (t) => {
  const { gallery, file, result } = await backedUp(t);
  t.match(result.manifest.files, { count: 4, missing: 0, damaged: 0 });
  t.equal(result.manifest.tables.find(({ name }) => name === 'images')?.rows, 3);
  t.match(await verifyBackup({ file }), { problems: 0 });
  t.equal((await gallery.backUp(file)).added.objects, 0, 'nothing new the second time');

  const target = await emptyTarget(t);
  const steps: number[] = [];
  const progress = { begin: () => {}, end: () => {}, advance: (bytes: number) => void steps.push(bytes) };
  await restore(target, { file, progress });
  t.equal(steps.length, 4, 'each file is written once');
  t.same(await imagesOf(target), await imagesOf(gallery));
  t.same(await contents(target.dataDir), await contents(gallery.dataDir));
  const app = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  await app.sweeps.run();
  const account = await logIn(app, gallery.account);
  const { images } = (await app.inject({ url: '/api/images/', headers: account.bearer })).json();
  for (const { id, url } of images) {
    t.equal((await app.inject(new URL(url).pathname)).statusCode, 200);
    await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
  }
  t.same(await storedFiles(target.dataDir), [], 'the bytes are removed with the last image');
});

t.test('a lost shared picture is reported once and left out with all its images', async (t) => {
  const { gallery, file, path, bytes } = await backedUp(t);
  await rm(path);
  const found: Issue[] = [];
  const fresh = join(await temporaryFolder(t), 'backup.tar');
  const { manifest } = await gallery.backUp(fresh, { report: (issue) => found.push(issue) });
  t.match(found, [{ kind: 'missing' }]);
  t.match(manifest.files, { count: 3, missing: 1 });
  t.match(await verifyBackup({ file: fresh }), { problems: 0 });

  const archive = await readFile(file);
  const at = archive.indexOf(`objects/${sha256Of(bytes)}`) + 600;
  archive.writeUInt8(archive.readUInt8(at) ^ 1, at);
  await writeFile(file, archive);
  const target = await emptyTarget(t);
  const skipped: string[] = [];
  const { without } = await restore(target, { file, skipDamaged: ({ key }) => skipped.push(key) });
  t.same([skipped.length, without], [1, 2]);
  t.equal((await imagesOf(target)).length, 1);
  const app = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  await app.sweeps.run();
  t.equal((await storedFiles(target.dataDir)).length, 2, 'none of its files remains');
});

t.test("a picture repaired during the backup is in it under its rows' key", async (t) => {
  const { gallery, path, bytes } = await backedUp(t);
  await writeFile(path, 'damaged');
  let healing: Promise<unknown> | undefined;
  const onRead = async () => {
    healing ??= storeFiles(gallery.app, gallery.account, [{ name: 'e.png', bytes }]);
    await healing;
  };
  const file = join(await temporaryFolder(t), 'backup.tar');
  const { issues, manifest } = await gallery.backUp(file, { onRead });
  t.equal(issues, 0);
  t.match(manifest.files, { count: 4, missing: 0, damaged: 0 });
  const target = await emptyTarget(t);
  await restore(target, { file });
  t.match(await stat(path.replace(gallery.dataDir, target.dataDir)), { size: bytes.length });
});

t.test('an image that names the bytes of another account is not restored', async (t) => {
  const { file } = await backedUp(t);
  const other = '99999999-2222-4333-8444-555555555555';
  await addSnapshot(file, (lists) => {
    const users = lists.get('users') ?? [];
    users.push({ ...users[0], id: other, username: 'o', username_key: 'o', email: 'o@o', email_key: 'o@o' });
    const shared = lists.get('images')?.find(({ content_id }) => content_id !== null);
    Object.assign(shared ?? {}, { owner_id: other });
  });
  const target = await emptyTarget(t);
  await t.rejects(restore(target, { file }), { code: 'BACKUP', message: /name the same bytes, and are not the same/ });
  t.same(await imagesOf(target), []);
});
