/** Retries of uploads whose response was lost. */
import t from 'tap';
import type { UploadAnswer } from '../contract.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { countsHold, rowsOf } from '../testing/collections/collection.ts';
import { storedFiles } from '../testing/disk.ts';
import { postFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';

const database = await createTestDatabase(t);
const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { dataDir, databaseUrl: database.url });
const holds = () => countsHold(database.url);

const file = async (name: string) => ({ name, bytes: await noise(80, 60) });

/** Creates an account. `total` counts the images added since. */
async function begin(of = { app, url: database.url }) {
  const account = await signIn(of.app);
  const { images } = await rowsOf(of.url);
  const send = (files: { name: string; bytes: Uint8Array }[], keys: string[], by: TestAccount = account) =>
    postFiles(of.app, by, files, { keys });
  const total = async () => (await rowsOf(of.url)).images - images;
  return { account, send, total };
}

const idsIn = (answer: { json: () => UploadAnswer }) => answer.json().images.map(({ id }) => id);

t.test('a form that is sent again with its keys gets the same response and stores nothing twice', async (t) => {
  const { account, send, total } = await begin();
  const files = [await file('a.jpg'), await file('b.jpg'), await file('c.jpg')];
  const first = await send(files, ['1', '2', '3']);
  t.equal(first.statusCode, 201);
  const stored = await storedFiles(dataDir);
  const again = await send(files, ['1', '2', '3']);
  t.equal(again.statusCode, 201);
  t.same(idsIn(again), idsIn(first));
  t.ok(
    again.json<UploadAnswer>().images.every(({ duplicate }) => !duplicate),
    'not marked as duplicate',
  );
  const other = await send(
    [files[2], await file('d.jpg'), files[0]].filter((one) => one !== undefined),
    ['3', '4', '1'],
  );
  const [a, , c] = idsIn(first);
  t.same([idsIn(other)[0], idsIn(other)[2]], [c, a], 'also together with other files, in the order sent');
  t.equal(await total(), 4);
  t.ok(await holds());
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${idsIn(other)[1]}`, headers: account.bearer });
  t.same(await storedFiles(dataDir), stored, 'no bytes of the repeated files remain');
});

t.test('the same form sent several times concurrently is stored once', async (t) => {
  const { send, total } = await begin();
  const files = [await file('a.jpg'), await file('b.jpg')];
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(files, ['one', 'two'])));
  for (const answer of answers) {
    t.equal(answer.statusCode, 201);
    t.same(idsIn(answer), idsIn(answers[0] ?? answer));
  }
  t.equal(await total(), 2);
  t.ok(await holds());
});

t.test('the same bytes without keys or with other keys are another image', async (t) => {
  const { send, total } = await begin();
  const one = await file('a.jpg');
  await send([one], ['1']);
  t.match((await send([one], ['2'])).json(), { images: [{ duplicate: true }] });
  t.equal((await send([one], ['1'], await signIn(app))).statusCode, 201, 'keys of different accounts do not conflict');
  await send([one, one], []).catch(() => undefined);
  t.equal(await total(), 3);
});

t.test('a deleted image is stored again under its key, and a repeated key in a form is one image', async (t) => {
  const { account, send, total } = await begin();
  const one = await file('a.jpg');
  const [id] = idsIn(await send([one], ['1']));
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
  const again = await send([one, one], ['1', '1']);
  t.equal(again.statusCode, 201);
  t.equal(new Set(idsIn(again)).size, 1);
  t.not(idsIn(again)[0], id);
  t.equal(await total(), 1);
});

t.test('other bytes under a used key are stored as another image', async (t) => {
  const { send, total } = await begin();
  await send([await file('a.jpg')], ['1']);
  const other = await send([await file('b.jpg'), await file('c.jpg'), await file('d.jpg')], ['1', '2', '2']);
  t.equal(other.statusCode, 201);
  t.same(
    other.json<UploadAnswer>().images.map(({ filename }) => filename),
    ['b.jpg', 'c.jpg', 'd.jpg'],
  );
  t.equal(await total(), 4);
});

t.test('a retry of stored files succeeds although they filled the quota', async (t) => {
  const { url } = await createTestDatabase(t);
  const { send, total } = await begin({ app: await buildTestApp(t, { databaseUrl: url, quotaImages: 2 }), url });
  const files = [await file('a.jpg'), await file('b.jpg')];
  const first = await send(files, ['1', '2']);
  const more = await send([...files, await file('c.jpg')], ['1', '2', '3']);
  t.equal(more.statusCode, 207);
  t.same(idsIn(more), idsIn(first));
  t.match(more.json(), { rejected: [{ filename: 'c.jpg', code: 'QUOTA_EXCEEDED' }] });
  t.match((await send([await file('d.jpg')], ['4'])).json(), { code: 'QUOTA_EXCEEDED' });
  t.equal(await total(), 2);
});

t.test('invalid upload keys answer 400', async (t) => {
  const { send, total } = await begin();
  for (const keys of [['a b'], ['a', ''], ['k'.repeat(65)], ['ü']]) {
    const answer = await send([await file('a.jpg')], keys);
    t.match(answer.json(), { statusCode: 400, code: 'INVALID_REQUEST', message: /Upload-Keys/ }, keys.join());
  }
  t.equal(await total(), 0);
});

t.test('a lookup answers the ids of stored keys in order, only of the same account', async (t) => {
  const { account, send } = await begin();
  const ids = idsIn(await send([await file('a.jpg'), await file('b.jpg')], ['a', 'b']));
  const lookUp = async (of: TestAccount, keys: string) =>
    app.inject({ url: '/api/images/uploaded', headers: { ...of.bearer, 'upload-keys': keys } });
  t.same((await lookUp(account, 'b,none,a,b')).json(), { ids: [ids[1], null, ids[0], ids[1]] });
  t.same((await lookUp(await signIn(app), 'a')).json(), { ids: [null] });
  t.equal((await lookUp(account, Array.from({ length: 101 }, (_, index) => index).join())).statusCode, 400);
});
