import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { eachImage } from './each-image.ts';

const app = await buildTestApp(t);
const { db } = app;

/** Replaces all images. @returns their ids in order */
async function gallery(colours: string[]) {
  await db.execute('delete from images');
  const files = await Promise.all(colours.map(async (colour) => ({ name: 'a.png', bytes: await picture({ colour }) })));
  const images = await storeFiles(app, await signIn(app), files);
  return images.map(({ id }) => id).sort();
}

t.test('every image is visited once, and the first of each content is marked', async (t) => {
  const ids = await gallery(['#111', '#222', '#111']);
  const seen: [string, boolean][] = [];
  const done: string[] = [];
  await eachImage(db, { atOnce: 1, done: (id) => done.push(id) }, async ({ id }, isFirst) => {
    seen.push([id, isFirst]);
  });
  t.same(
    seen.map(([id]) => id),
    ids,
  );
  t.equal(seen.filter(([, isFirst]) => isFirst).length, 2);
  t.same(done, ids.slice(-1));
  const later: string[] = [];
  await eachImage(db, { atOnce: 2, after: ids[0] ?? '' }, async ({ id }) => void later.push(id));
  t.same(later.sort(), ids.slice(1));
});

t.test('after a failure no image is started, and started ones end first', async (t) => {
  const ids = await gallery(['#111', '#222', '#333', '#444']);
  const begun: string[] = [];
  const ended: string[] = [];
  let fail = (_: Error) => {};
  const failing = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const work = eachImage(db, { atOnce: 2 }, async ({ id }) => {
    begun.push(id);
    if (id === ids[0]) return failing;
    fail(new Error('the storage is away'));
    // Waits until the failure is known.
    await failing.catch(() => undefined);
    await new Promise(setImmediate);
    ended.push(id);
  });
  await t.rejects(work, { message: 'the storage is away' });
  t.same(begun, ids.slice(0, 2));
  t.same(ended, ids.slice(1, 2));
});
