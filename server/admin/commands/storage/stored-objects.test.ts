/** How encrypt and rotate-key walk through stored objects while a server runs. */
import { eq } from 'drizzle-orm';
import t from 'tap';
import { images } from '../../../../drizzle/schema.ts';
import { originalKey, thumbnailKey } from '../../../images/keys.ts';
import { asStorageError } from '../../../storage/failures.ts';
import type { Put } from '../../../storage/seals.ts';
import { signIn } from '../../../testing/account.ts';
import { buildTestApp } from '../../../testing/app.ts';
import { storeFiles } from '../../../testing/form.ts';
import { picture } from '../../../testing/pictures.ts';
import type { Admin } from '../context.ts';
import { eachStored } from './stored-objects.ts';

const app = await buildTestApp(t);
const admin = { db: app.db, storage: async () => app.storage } as Partial<Admin> as Admin;

/** Pictures of these widths, the only ones in the database. */
async function pictures(...widths: number[]) {
  await app.db.execute('delete from images');
  const account = await signIn(app);
  const files = widths.map(async (width) => ({ name: `${width}.png`, bytes: await picture({ width }) }));
  const images = await storeFiles(app, account, await Promise.all(files));
  return { account, ids: images.map(({ id }) => id) };
}

/** One picture, and functions that overwrite its original or its thumbnail. */
async function gallery() {
  const {
    account,
    ids: [id = ''],
  } = await pictures(64);
  const during = (collection: string, write: (key: string) => Promise<void>) => {
    const isHealthy: boolean[] = [];
    const work = async ({ key, put }: { key: string; put: Put }) => {
      if (key.startsWith(collection)) isHealthy.push(await put(() => write(key)));
      return 'done' as const;
    };
    return eachStored(admin, 'Working', work).then(() => isHealthy);
  };
  return { account, id, during };
}

t.test('a deletion does not wait for a rewrite of the picture, whose bytes then become unwanted', async (t) => {
  const { account, id, during } = await gallery();
  const isHealthy = await during('originals/', async () => {
    const answer = await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    t.equal(answer.statusCode, 204);
  });
  t.same(isHealthy, [false]);
});

t.test('bytes are wanted while a row still describes them', async (t) => {
  const { id, during } = await gallery();
  t.same(await during('originals/', async () => {}), [true]);
  const rebuild = async () => {
    await app.db
      .update(images)
      .set({ thumbnailSha256: '0'.repeat(64) })
      .where(eq(images.id, id));
  };
  t.same(await during(thumbnailKey({ id }), rebuild), [false]);
});

t.test('an unreadable object is named, and the others are processed', async (t) => {
  const {
    ids: [id = '', another = ''],
  } = await pictures(10, 20);
  const bad = originalKey({ id, extension: 'png' });
  const done: string[] = [];
  const sums = await eachStored(admin, 'Working', async ({ key }) => {
    if (key === bad) throw asStorageError(Object.assign(new Error('bad sector'), { code: 'EIO', syscall: 'read' }));
    done.push(key);
    return 'done';
  });
  t.match(sums, { done: done.length, failed: 1 });
  t.ok(done.includes(originalKey({ id: another, extension: 'png' })));
});

t.test('the run ends if a responding storage fails on many objects in a row', async (t) => {
  await pictures(...Array.from({ length: 16 }, (_, n) => 10 + n));
  let count = 0;
  const refused = eachStored(admin, 'Working', async () => {
    count += 1;
    throw asStorageError(Object.assign(new Error('not allowed'), { code: 'EACCES', syscall: 'open' }));
  });
  await t.rejects(refused, { code: 'STORAGE_UNAVAILABLE' });
  t.ok(count < 30, `${count} were tried of at least two per picture`);
});

t.test('unwanted bytes that could not be removed at first are removed later', async (t) => {
  const { account, id, during } = await gallery();
  const key = originalKey({ id, extension: 'png' });
  const isHealthy = await during('originals/', async () => {
    await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    await app.storage.write(key, Buffer.from('late'));
  });
  t.same(isHealthy, [false]);
  t.equal(await app.storage.stat(key), undefined);
});

t.test('bytes of a deleted picture are removed even if their write had an unknown outcome', async (t) => {
  const { account, id, during } = await gallery();
  const key = originalKey({ id, extension: 'png' });
  const broken = during('originals/', async () => {
    await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    await app.storage.write(key, Buffer.from('late'));
    throw new Error('no answer');
  });
  await t.rejects(broken, { message: 'no answer' });
  t.equal(await app.storage.stat(key), undefined);
});
