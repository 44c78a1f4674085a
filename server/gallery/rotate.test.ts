import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import t from 'tap';
import type { Image, RotatedLinks, StoredImage } from '../contract.ts';
import { signIn } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';

// Two servers of one gallery.
const config = await testConfig(t);
const app = await buildTestApp(t, config);
const other = await buildTestApp(t, config);

type Bearer = { bearer: { authorization: string } };

const rotate = ({ bearer }: Bearer, ids: string[]) =>
  app.inject({ method: 'POST', url: '/api/images/rotate', headers: bearer, payload: { ids } });

const file = async (name: string) => ({ name: `${name}.png`, bytes: await noise(40, 30, 'png') });

type Stage = { images: StoredImage[] };

const nth = ({ images }: Stage, index: number): StoredImage => {
  const image = images[index];
  if (!image) throw new Error('nothing was stored');
  return image;
};

async function stage(names = ['one', 'two']) {
  const account = await signIn(app);
  const files = await Promise.all(names.map(file));
  const images = await storeFiles(app, account, files, { query: '?delete_link=1' });
  return { account, images, ids: images.map(({ id }) => id) };
}

const linksOf = ({ url, thumbnail_url }: Pick<Image, 'url' | 'thumbnail_url'>) =>
  [url, thumbnail_url].map((link) => new URL(link).pathname);
const statusOf = async (path: string, server = app) => (await server.inject(path)).statusCode;
const statuses = (image: Image, server = app) => Promise.all(linksOf(image).map((path) => statusOf(path, server)));

t.test('rotated links answer 404 on every server, and the new ones serve the image', async (t) => {
  const staged = await stage();
  const { account, ids } = staged;
  const [one, two] = [nth(staged, 0), nth(staged, 1)];
  for (const server of [app, other]) t.same(await statuses(one, server), [200, 200], 'cached before');
  const answer = await rotate(account, [one.id]);
  t.equal(answer.statusCode, 200);
  t.same(await statuses(one), [404, 404], 'when the answer has arrived');
  await eventually('the other server forgets the links', async () =>
    (await statuses(one, other)).every((status) => status === 404),
  );
  const { images: rotated, unknown } = answer.json<RotatedLinks>();
  t.same(unknown, []);
  t.match(rotated, [{ id: one.id, filename: 'one.png', uploaded_at: one.uploaded_at }]);
  for (const image of rotated) t.same(await statuses(image), [200, 200]);
  t.same(await statuses(two), [200, 200], 'an image that was not named');
  const list = (await app.inject({ url: '/api/images/', headers: account.bearer })).json();
  t.equal(list.images.find(({ id }: Image) => id === one.id).url, rotated[0]?.url);
  t.same(
    (await rotate(account, ids)).json<RotatedLinks>().images.map(({ id }) => id),
    ids,
    'in the order of the ids',
  );
});

t.test('a delete link stays valid after a rotation', async (t) => {
  const staged = await stage(['one']);
  await rotate(staged.account, staged.ids);
  const url = new URL(nth(staged, 0).delete_url ?? '').pathname;
  t.equal((await app.inject({ method: 'DELETE', url })).statusCode, 204);
});

t.test('a former link answers 404 instead of 410 after its image has expired', async (t) => {
  const staged = await stage(['one']);
  const { account, ids } = staged;
  await rotate(account, ids);
  await app.db.execute(sql`update images set expires_at = now() - interval '1 minute' where id = ${ids[0]}`);
  t.same((await rotate(account, ids)).json(), { images: [], unknown: ids }, 'an expired image counts as deleted');
  await app.sweeps.sweepShared();
  t.same(await statuses(nth(staged, 0)), [404, 404]);
});

t.test('ids of other accounts, or outside the album of a token, are unknown and keep their links', async (t) => {
  const staged = await stage();
  const { account, ids } = staged;
  const [mine = '', outside = ''] = ids;
  const missing = randomUUID();
  t.same((await rotate(await signIn(app), [...ids, missing])).json(), { images: [], unknown: [...ids, missing] });

  const inject = (url: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/albums${url}`, headers: account.bearer, payload });
  const { album } = (await inject('', { name: 'Trip' })).json();
  await inject(`/${album.id}/images`, { ids: [mine] });
  const token = await createApiToken(app, account, ['images:write'], { album: album.id });
  t.match((await rotate(token, ids)).json(), { images: [{ id: mine }], unknown: [outside] });
  t.same(await statuses(nth(staged, 1)), [200, 200]);
});
