import t from 'tap';
import type { Image } from '../contract.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';

const app = await buildTestApp(t);
const bytes = await picture();
const day = 86_400_000;

const change = ({ bearer }: Pick<TestAccount, 'bearer'>, { id }: Image, payload: object) =>
  app.inject({ method: 'PATCH', url: `/api/images/${id}`, headers: bearer, payload });

async function stage(query = '') {
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes }], { query });
  if (!image) throw new Error('nothing was stored');
  return { account, image };
}

const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

t.test('an owner sets, changes and removes the end of an image, and its link follows at once', async (t) => {
  const { account, image } = await stage();
  const control = async () => (await app.inject(new URL(image.url).pathname)).headers['cache-control'];
  t.match(await control(), /immutable/);
  const inAWeek = inDays(7);
  t.equal((await change(account, image, { expires_at: inAWeek })).json().image.expires_at, inAWeek);
  t.equal(await control(), 'public, max-age=60, must-revalidate');
  t.equal((await change(account, image, { filename: 'b.png' })).json().image.expires_at, inAWeek, 'a rename keeps it');
  const sooner = (await change(account, image, { expires_in: '1h' })).json().image;
  t.ok(Date.parse(sooner.expires_at) < Date.now() + 3_600_001);
  t.equal(sooner.filename, 'b.png');
  for (const field of ['expires_in', 'expires_at']) {
    await change(account, image, { expires_in: '1h' });
    t.equal((await change(account, image, { [field]: null })).json().image.expires_at, null, field);
  }
  t.match(await control(), /immutable/);
});

t.test('an end that is out of bounds, without a time zone or given twice is refused', async (t) => {
  const { account, image } = await stage();
  for (const payload of [
    { expires_in: '4m' },
    { expires_in: '6y' },
    { expires_at: inDays(-1) },
    { expires_at: inDays(6 * 365) },
    { expires_at: inDays(7).replace('Z', '') },
    { expires_at: 'tomorrow' },
    { expires_at: inDays(7), expires_in: '1h' },
    {},
  ])
    t.match((await change(account, image, payload)).json(), { code: 'INVALID_REQUEST' }, JSON.stringify(payload));
});

t.test('a token with images_expire_in can only bring an end forward, or stay within that time', async (t) => {
  const { account, image } = await stage('?expires_in=30d');
  const token = await createApiToken(app, account, ['images:write', 'images:delete'], { images_expire_in: '7d' });
  const statusOf = async (payload: object) => (await change(token, image, payload)).statusCode;
  t.equal(await statusOf({ expires_in: null }), 400);
  t.equal(await statusOf({ expires_in: '60d' }), 400);
  t.equal(await statusOf({ expires_in: '20d' }), 200);
  t.equal(await statusOf({ expires_in: '1d' }), 200);
  t.equal(await statusOf({ expires_in: '6d' }), 200);
  t.equal(await statusOf({ expires_in: '8d' }), 400);
  const reader = await createApiToken(app, account, ['images:read']);
  t.equal((await change(reader, image, { expires_in: '1d' })).statusCode, 403);
});

t.test('a token needs images:delete to bring the end of an image forward', async (t) => {
  const { account, image } = await stage();
  const writer = await createApiToken(app, account, ['images:write']);
  const refuses = async (payload: object) => {
    const answer = await change(writer, image, { filename: 'b.png', ...payload });
    t.match([answer.statusCode, answer.json()], [403, { code: 'SCOPE_NEEDED', message: /images:delete/ }]);
    t.equal(answer.headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="images:delete"');
  };
  const inAWeek = inDays(7);
  await refuses({ expires_in: '5m' });
  await refuses({ expires_at: inAWeek });
  const remover = await createApiToken(app, account, ['images:write', 'images:delete']);
  t.equal((await change(remover, image, { expires_at: inAWeek })).statusCode, 200);
  await refuses({ expires_at: inDays(6) });
  for (const payload of [
    { expires_at: inAWeek },
    { expires_at: inDays(8) },
    { expires_in: null },
    { filename: 'c.png' },
  ])
    t.equal((await change(writer, image, payload)).statusCode, 200, JSON.stringify(payload));
  await refuses({ expires_in: '5y' });
  const { image: left } = (await app.inject({ url: `/api/images/${image.id}`, headers: account.bearer })).json();
  t.match(left, { filename: 'c.png', expires_at: null }, 'a refused change changes nothing');
});
