import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { testKeyring } from '../../storage/testing/keyring.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { emptied, startGallery } from '../../testing/collections/backup.ts';
import { storedFiles } from '../../testing/disk.ts';
import { storeFiles } from '../../testing/form.ts';
import { noise } from '../../testing/pictures.ts';
import { restoreOne } from './one.ts';

const encryptionKey = randomBytes(32);

const galleries = { plain: await startGallery(t), sealed: await startGallery(t, { encryptionKey }) };

/** A gallery with one picture, and a backup of it. */
async function backedUp(t: Test, kind: keyof typeof galleries) {
  const gallery = await emptied(galleries[kind]);
  const [image] = await storeFiles(gallery.app, gallery.account, [{ name: 'a.jpg', bytes: await noise(300, 200) }]);
  const file = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(file);
  const keys = (await storedFiles(gallery.dataDir)).filter((name) => /^(originals|thumbnails)/.test(name));
  const keyring = kind === 'sealed' ? testKeyring(encryptionKey) : undefined;
  const { db, storage } = gallery.app;
  return {
    ...gallery,
    file,
    keys,
    image,
    bringBack: (key: string, more = {}) => restoreOne({ db, storage, keyring, ...more }, file, key),
    pathOf: (key: string) => join(gallery.dataDir, 'files', key),
    given: async () => (await gallery.app.inject(new URL(`${image?.url}`).pathname)).rawPayload,
  };
}

for (const kind of ['plain', 'sealed'] as const) {
  t.test(`one file is restored while the server runs, ${kind}`, async (t) => {
    const { keys, bringBack, pathOf, given, backUp, file } = await backedUp(t, kind);
    const before = await given();
    for (const key of keys) {
      await rm(pathOf(key));
      // The newer snapshot lacks the file, so the one before it must supply it.
      if (key.startsWith('originals')) t.match(await backUp(file), { issues: 1 });
      t.match(await bringBack(key), /^\d{4}-/);
      t.equal((await readFile(pathOf(key))).toString('latin1', 1, 7) === 'SEALED', kind === 'sealed');
    }
    t.ok((await given()).equals(before));
  });
}

t.test('a file that no image names, or that differs from its row, is not restored', async (t) => {
  const { keys, bringBack, pathOf, app, account, image, sql } = await backedUp(t, 'sealed');
  const [key = ''] = keys;
  for (const wrong of ['installation', '../x', key.replace(/[0-9a-f]{4}\./, 'ffff.')]) {
    await t.rejects(bringBack(wrong), { code: 'BACKUP', message: /^No image has a file / });
  }
  for (const keyring of [undefined, testKeyring(randomBytes(32))]) {
    await t.rejects(bringBack(key, { keyring }), {
      code: 'BACKUP',
      message:
        /^The snapshot \S+ in the backup is sealed by the key [0-9a-f]+, which is not given: .*ENCRYPTION_KEY_PREV/,
    });
  }
  await writeFile(pathOf(key), 'damaged');
  await sql`update images set sha256 = ${'0'.repeat(64)}`;
  await t.rejects(bringBack(key), { code: 'BACKUP', message: /^No snapshot in .* has originals.* whole/ });
  t.equal((await readFile(pathOf(key))).toString(), 'damaged', 'nothing was changed');
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers: account.bearer });
  await t.rejects(bringBack(key), { code: 'BACKUP', message: /^No image has a file / });
});

t.test('a file whose picture is deleted meanwhile is not restored', async (t) => {
  const { keys, bringBack, app, account, image } = await backedUp(t, 'plain');
  const [key = ''] = keys;
  const { storage } = app;
  const late = {
    ...storage,
    async commit(...kept: Parameters<typeof storage.commit>) {
      await app.inject({ method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers: account.bearer });
      await storage.commit(...kept);
    },
  };
  await t.rejects(bringBack(key, { storage: late }), { code: 'BACKUP', message: /changed or deleted meanwhile/ });
  t.equal(await storage.stat(key), undefined);
});
