/** Images hidden by an administrator, and accounts whose links are silenced. */
import t from 'tap';
import { setDisabled } from '../../../auth/queries.ts';
import { parseDatabaseUrl } from '../../../database/address.ts';
import { openClient } from '../../../database/client.ts';
import { connect } from '../../../database/connect.ts';
import { knownMigrations, migrateWithin } from '../../../database/migrations/migrate-to.ts';
import { findImageByLink } from '../../../images/queries.ts';
import { signIn } from '../../../testing/account.ts';
import { buildTestApp, listen } from '../../../testing/app.ts';
import { eventually } from '../../../testing/eventually.ts';
import { storeFiles } from '../../../testing/form.ts';
import { noise } from '../../../testing/pictures.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { query } from '../../../testing/postgres/embedded.ts';
import { findOwned, hideImages, showImages } from './queries.ts';

const pathOf = (url: string) => new URL(url).pathname;

const app = await buildTestApp(t);
const origin = await listen(app);
const bytes = await noise(1700, 40);

/** An image and a copy of it, both with a screen rendition and in a public album; every public path is cached. */
async function withImage() {
  const account = await signIn(app);
  const images = await storeFiles(app, account, [
    { name: 'report.jpg', bytes },
    { name: 'copy.jpg', bytes },
  ]);
  const [image, copy] = images;
  if (!image || !copy) throw new Error('nothing was stored');
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
    app.inject({ method, url: `/api/${path}`, headers: account.bearer, ...(payload ? { payload } : {}) });
  const { album } = (await call('POST', 'albums/', { name: 'Shared' })).json();
  await call('POST', `albums/${album.id}/images`, { ids: images.map(({ id }) => id) });
  const page = pathOf((await call('POST', `albums/${album.id}/link`)).json().url);
  const paths = [image.url, image.thumbnail_url, image.screen_url].map(pathOf);
  const { etag = '' } = (await app.inject(paths[0] ?? '')).headers;
  for (let time = 0; time < 3; time += 1) for (const path of paths) await (await fetch(origin + path)).arrayBuffer();
  return { account, image, copy, album, page, paths, etag: String(etag), call };
}

// The server answers from its cache until it is notified.
const isAnswered = (url: string, status: number) =>
  eventually(`${url} answers ${status}`, async () => (await fetch(url)).status === status);

/** Status codes of every public path, with and without range and cache headers. */
async function publicAnswers(paths: string[], etag: string): Promise<number[]> {
  const ways = [{}, { range: 'bytes=0-9' }, { 'if-none-match': etag }, { 'if-none-match': '*' }];
  const answers = paths.flatMap((url) => [
    ...ways.map((headers) => app.inject({ url, headers })),
    app.inject({ method: 'HEAD', url }),
  ]);
  return [...new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))];
}

for (const { legal, status, code } of [
  { legal: false, status: 404, code: 'NOT_FOUND' },
  { legal: true, status: 451, code: 'UNAVAILABLE_FOR_LEGAL_REASONS' },
]) {
  t.test(`each public way to a hidden image answers ${status}${legal ? ' for legal reasons' : ''}`, async (t) => {
    const { image, copy, paths, etag } = await withImage();
    await hideImages(app.db, [image.id], { reason: 'a report', legal });
    await isAnswered(origin + paths[1], status);
    t.same(await publicAnswers(paths, etag), [status]);
    for (const path of paths) t.equal((await fetch(origin + path)).status, status, path.replace(/[\w-]{22}/, '…'));
    const refused = await app.inject(paths[0] ?? '');
    t.match(refused.json(), { code, statusCode: status });
    t.equal(refused.headers['cache-control'], 'no-store');
    t.notMatch(refused.body, 'a report', 'the reason is not public');
    t.equal((await app.inject(pathOf(copy.url))).statusCode, 200, 'another link to the same bytes still works');
    t.same(await showImages(app.db, [image.id]), [{ id: image.id, waiting: false }]);
    await isAnswered(origin + paths[1], 200);
    t.equal((await app.inject(paths[0] ?? '')).statusCode, 200, 'shown again');
  });
}

t.test('the owner of a hidden image sees the reason and can download and delete it', async (t) => {
  const { image, copy, call } = await withImage();
  await hideImages(app.db, [image.id], { reason: 'It shows a person who objects.', legal: true });
  const hidden = { reason: 'It shows a person who objects.', legal: true };
  const listed = async (query: string) =>
    (await call('GET', `images/?${query}`)).json().images.find(({ id }: { id: string }) => id === image.id);
  for (const query of ['', 'search=report', 'sort=size', 'sort=name']) t.match((await listed(query)).hidden, hidden);
  const all = (await call('GET', 'images/')).json().images;
  t.notOk('hidden' in all.find(({ id }: { id: string }) => id === copy.id), 'the copy is not marked as hidden');
  t.ok((await call('GET', `images/${image.id}/original`)).rawPayload.equals(bytes));
  t.equal((await call('GET', `images/archive?ids=${image.id},${copy.id}`)).statusCode, 200);
  t.equal((await call('DELETE', `images/delete/${image.id}`)).statusCode, 204);
  t.equal((await app.inject(pathOf(copy.url))).statusCode, 200);
});

t.test("an album's page and its preview card leave out a hidden image", async (t) => {
  const { image, copy, page, call } = await withImage();
  await hideImages(app.db, [image.id], { reason: null, legal: false });
  const { body } = await app.inject(page);
  const keyOf = ({ url }: { url: string }) => pathOf(url).slice(3, 25);
  t.notMatch(body, keyOf(image));
  t.match(body, keyOf(copy));
  t.match(body, '1 image');
  const [card] = (await call('GET', 'albums/')).json().albums;
  t.match(card, { count: 2, covers: { length: 1 } });
  await hideImages(app.db, [copy.id], { reason: null, legal: false });
  const empty = await app.inject(page);
  t.match([empty.statusCode, empty.body], [200, /0 images[\s\S]*still empty/]);
});

t.test('links of an account disabled with its links answer 404 until it is enabled', async (t) => {
  const { account, paths, page, etag } = await withImage();
  await setDisabled(app.db, account.id, true, true);
  await isAnswered(origin + paths[1], 404);
  t.same(await publicAnswers([...paths, page], etag), [404]);
  await setDisabled(app.db, account.id, true);
  t.same(await publicAnswers(paths, etag), [404], 'they stay silenced after disabling again');
  await setDisabled(app.db, account.id, false);
  await isAnswered(origin + paths[1], 200);
  t.equal((await app.inject(page)).statusCode, 200);
});

t.test('links and accounts of the previous version stay open after the migration', async (t) => {
  const { url } = await createTestDatabase(t);
  await query(url, 'drop schema public cascade; drop schema drizzle cascade; create schema public');
  const sql = openClient(parseDatabaseUrl(url), { max: 1 });
  t.teardown(() => sql.end({ timeout: 5 }));
  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('"hidden_at"')));
  const before = levels[at - 1]?.level ?? 0;
  await sql.begin((tx) => migrateWithin(tx, 0, before));
  await sql.unsafe(`
    insert into users (id, username, username_key, email, email_key, password_hash)
      values ('01939e4c-0000-7000-8000-000000000001', 'a', 'a', 'a@b.c', 'a@b.c', '');
    insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256, width, height, placeholder)
      values ('01939e4c-0000-7000-8000-000000000002', '01939e4c-0000-7000-8000-000000000001', 'AAAAAAAAAAAAAAAAAAAAAA', 'a.png', 'a.png',
        'png', 'image/png', 1, '', 1, 1, '')`);
  await sql.begin((tx) => migrateWithin(tx, before, levels.at(-1)?.level ?? 0));
  const { db, close } = connect(url);
  t.teardown(close);
  const { image, owner } = (await findOwned(db, { linkKey: 'A'.repeat(22) })) ?? {};
  t.match(image, { hiddenAt: null, hiddenReason: null, hiddenLegal: false });
  t.equal(owner?.linksSilencedAt, null);
  t.match(await findImageByLink(db, 'A'.repeat(22)), { id: image?.id });
});
