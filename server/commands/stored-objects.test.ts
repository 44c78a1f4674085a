/** What encrypt and rotate-key go through, beside a server that runs. */
import { eq } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { images } from '../../drizzle/schema.ts';
import { originalKey, thumbnailKey } from '../images/keys.ts';
import type { Put } from '../storage/sealed/sealing.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { eachStored } from './stored-objects.ts';
import type { Admin } from './surroundings.ts';

t.setTimeout(120_000);

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
