/** What encrypt and rotate-key go through, beside a server that runs. */
import { eq } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { images } from '../../drizzle/schema.ts';
import { originalKey, thumbnailKey } from '../images/keys.ts';
import { asStorageError } from '../storage/failures.ts';
import type { Put } from '../storage/sealed/sealing.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { eachStored } from './stored-objects.ts';
import type { Admin } from './surroundings.ts';

/** One picture, and what writes its original or its thumbnail over. */
async function gallery(t: Test) {
  const app = await buildTestApp(t);
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const id = image?.id ?? '';
  const admin = { db: app.db, storage: async () => app.storage } as Partial<Admin> as Admin;
  const during = (collection: string, write: (key: string) => Promise<void>) => {
    const answers: boolean[] = [];
    const work = async ({ key, put }: { key: string; put: Put }) => {
      if (key.startsWith(collection)) answers.push(await put(() => write(key)));
      return 'done' as const;
    };
    return eachStored(admin, 'Working', work).then(() => answers);
  };
  return { app, account, id, during };
}

t.test('a picture whose bytes are on their way is deleted at once, and they are not wanted any more', async (t) => {
  const { app, account, id, during } = await gallery(t);
  const answers = await during('originals/', async () => {
    const answer = await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    t.equal(answer.statusCode, 204);
  });
  t.same(answers, [false]);
});

t.test('bytes are wanted while a row says the same of them', async (t) => {
  const { app, id, during } = await gallery(t);
  t.same(await during('originals/', async () => {}), [true]);
  const anew = async () => {
    await app.db
      .update(images)
      .set({ thumbnailSha256: '0'.repeat(64) })
      .where(eq(images.id, id));
  };
  t.same(await during(thumbnailKey({ id }), anew), [false]);
});

t.test('one that the storage does not give back is named, and the others are worked on', async (t) => {
  const app = await buildTestApp(t);
  const pictures = await Promise.all(
    [1, 2].map(async (n) => ({ name: `${n}.png`, bytes: await picture({ width: 10 * n }) })),
  );
  const [image, another] = await storeFiles(app, await signIn(app), pictures);
  const admin = { db: app.db, storage: async () => app.storage } as Partial<Admin> as Admin;
  const bad = originalKey({ id: image?.id ?? '', extension: 'png' });
  const done: string[] = [];
  const sums = await eachStored(admin, 'Working', async ({ key }) => {
    if (key === bad) throw asStorageError(Object.assign(new Error('bad sector'), { code: 'EIO', syscall: 'read' }));
    done.push(key);
    return 'done';
  });
  t.match(sums, { done: done.length, failed: 1 });
  t.ok(done.includes(originalKey({ id: another?.id ?? '', extension: 'png' })));
});

t.test('where the storage fails at one after another, though it answers, the run ends', async (t) => {
  const app = await buildTestApp(t);
  const each = Array.from({ length: 20 }, async (_, n) => ({
    name: `${n}.png`,
    bytes: await picture({ width: 10 + n }),
  }));
  await storeFiles(app, await signIn(app), await Promise.all(each));
  const admin = { db: app.db, storage: async () => app.storage } as Partial<Admin> as Admin;
  let count = 0;
  const refused = eachStored(admin, 'Working', async () => {
    count += 1;
    throw asStorageError(Object.assign(new Error('not allowed'), { code: 'EACCES', syscall: 'open' }));
  });
  await t.rejects(refused, { code: 'STORAGE_UNAVAILABLE' });
  t.ok(count < 30, `${count} were tried, and there are two for each picture at least`);
});

t.test('bytes that could not be removed though nobody wants them go in the end', async (t) => {
  const { app, account, id, during } = await gallery(t);
  const key = originalKey({ id, extension: 'png' });
  const answers = await during('originals/', async () => {
    await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    await app.storage.write(key, Buffer.from('late'));
  });
  t.same(answers, [false]);
  t.equal(await app.storage.stat(key), undefined);
});

t.test('where nobody knows whether they were written, bytes of a deleted picture go', async (t) => {
  const { app, account, id, during } = await gallery(t);
  const key = originalKey({ id, extension: 'png' });
  const broken = during('originals/', async () => {
    await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    await app.storage.write(key, Buffer.from('late'));
    throw new Error('no answer');
  });
  await t.rejects(broken, { message: 'no answer' });
  t.equal(await app.storage.stat(key), undefined);
});
