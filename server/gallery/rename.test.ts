import { EventEmitter, once } from 'node:events';
import { sql } from 'drizzle-orm';
import t from 'tap';
import type { Image } from '../contract.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, listen } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { openSocket } from '../testing/socket.ts';
import { waitingForLocks } from '../testing/waiting.ts';

const change = ({ bearer }: TestAccount, id: string, payload: unknown) =>
  app.inject({
    method: 'PATCH',
    url: `/api/images/${id}`,
    headers: { ...bearer, 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });

async function found({ bearer }: TestAccount, search: string): Promise<string[]> {
  const url = `/api/images/?search=${encodeURIComponent(search)}`;
  const { images } = (await app.inject({ url, headers: bearer })).json();
  return images.map(({ filename }: { filename: string }) => filename);
}

/** Emits the method of each request that reaches its handler. */
const handled = new EventEmitter();
const app = await buildTestApp(t, {
  options: {
    onRoute(route) {
      const { handler, method } = route;
      route.handler = function (...args) {
        const result = handler.apply(this, args);
        handled.emit(String(method));
        return result;
      };
    },
  },
});

async function stage(names = ['before.png']) {
  const account = await signIn(app);
  for (const [index, name] of names.entries()) {
    const bytes = await picture({ width: 2 + index, height: 2 });
    await storeFiles(app, account, [{ name, bytes }]);
  }
  const url = '/api/images/?sort=date&order=asc';
  const { images }: { images: Image[] } = (await app.inject({ url, headers: account.bearer })).json();
  const [image] = images;
  if (!image) throw new Error('nothing was stored');
  return { account, image, images };
}

t.test('a renamed image keeps its link and has its new name in lists, searches and downloads', async (t) => {
  const { account, image } = await stage();
  const path = new URL(image.url).pathname;
  t.match((await app.inject(path)).headers['content-disposition'], /before\.png/);
  const answer = await change(account, image.id, { filename: 'عطلة الصيف.png' });
  t.equal(answer.statusCode, 200);
  t.same(answer.json(), { image: { ...image, filename: 'عطلة الصيف.png' } });
  t.same(await found(account, 'الصيف'), ['عطلة الصيف.png']);
  t.same(await found(account, 'before'), []);
  const served = await app.inject(path);
  t.equal(served.statusCode, 200);
  t.notMatch(served.headers['content-disposition'], /before\.png/, 'also if the link was cached');
});

t.test('a search finds any part of a description, and no text across name and description', async (t) => {
  const { account, image } = await stage(['a.png', 'b.png']);
  t.equal(image.description, '');
  const answer = await change(account, image.id, { description: 'Two Gulls over the Straße' });
  t.match(answer.json(), { image: { filename: 'a.png', description: 'Two Gulls over the Straße' } });
  for (const text of ['two gulls', 'STRASSE', 's over t']) t.same(await found(account, text), ['a.png'], text);
  t.same(await found(account, 'a.png'), ['a.png'], 'still by its name');
  t.same(await found(account, '.pngtwo'), []);
  t.same(await found(account, '.png\ntwo'), [], 'the separator is not searchable');
  t.same(await found(account, '\n'), []);
  await change(account, image.id, { description: '' });
  t.same(await found(account, 'gulls'), []);
  t.same(await found(account, 'a.png'), ['a.png']);
});

t.test('a new name is cleaned like that of an upload, and a description becomes one line', async (t) => {
  const { account, image } = await stage();
  const sent = { filename: ' ../x/Bild\u0000 "1".png ', description: '\u0007 first\r\nsecond\u2028third\t' };
  t.match((await change(account, image.id, sent)).json(), {
    image: { filename: 'Bild "1".png', description: 'first second third' },
  });
  const long = (await change(account, image.id, { filename: `${'n'.repeat(5000)}.png` })).json().image.filename;
  t.equal(long.length, 4096);
  t.match(long, /n\.png$/, 'its extension is kept');
  const emoji = '🌇'.repeat(2000);
  t.equal((await change(account, image.id, { description: emoji })).json().image.description, emoji);
});

t.test('an empty, invalid or too long change answers 400 and changes nothing', async (t) => {
  const { account, image } = await stage();
  for (const [payload, message] of [
    [{}, /a filename, a description, or when/],
    [{ filename: '' }, /filename is empty/],
    [{ filename: '\u0001' }, /filename is empty/],
    [{ filename: '..' }, /filename is empty/],
    [{ description: 'x'.repeat(2001) }, /at most 2,000 characters/],
    [{ filename: 'new.png', description: 'x'.repeat(2001) }, /at most 2,000 characters/],
    [{ filename: 7 }, /filename/],
    [{ description: null }, /description/],
    [[], /object/],
    ['text', /object/],
  ] as const) {
    const answer = await change(account, image.id, payload);
    t.match([answer.statusCode, answer.json()], [400, { message }], JSON.stringify(payload).slice(0, 40));
  }
  const { images } = (await app.inject({ url: '/api/images/', headers: account.bearer })).json();
  t.same(images, [image]);
});

t.test('an account cannot rename the image of another', async (t) => {
  const { account, image } = await stage();
  const other = await signIn(app);
  t.equal((await change(other, image.id, { filename: 'mine.png' })).statusCode, 404);
  for (const id of ['1', '%00', '00000000-0000-0000-0000-000000000000']) {
    t.equal((await change(account, id, { filename: 'mine.png' })).statusCode, 404, id);
  }
  const anonymous = await app.inject({ method: 'PATCH', url: `/api/images/${image.id}`, payload: { filename: 'x' } });
  t.equal(anonymous.statusCode, 401);
  const foreign = await app.inject({
    method: 'PATCH',
    url: `/api/images/${image.id}`,
    headers: { cookie: account.cookie, origin: 'https://elsewhere.example' },
    payload: { filename: 'x' },
  });
  t.equal(foreign.statusCode, 403);
  t.same(await found(account, ''), ['before.png']);
});

t.test('names and descriptions changed concurrently are all found', async (t) => {
  const { account, images } = await stage(['1.png', '2.png', '3.png', '4.png']);
  await Promise.all(
    images.flatMap(({ id }, index) => [
      change(account, id, { filename: `name-${index}.png` }),
      change(account, id, { description: `words-${index}` }),
    ]),
  );
  for (const index of images.keys()) {
    t.same(await found(account, `words-${index}`), [`name-${index}.png`]);
    t.same(await found(account, `name-${index}`), [`name-${index}.png`]);
  }
});

t.test('the same picture uploaded again does not inherit a description', async (t) => {
  const { account, image } = await stage();
  await change(account, image.id, { description: 'of the first' });
  const [again] = await storeFiles(app, account, [
    { name: 'again.png', bytes: await picture({ width: 2, height: 2 }) },
  ]);
  t.match(again, { filename: 'again.png', description: '' });
  t.same(await found(account, 'of the first'), ['before.png']);
});

t.test('a change beyond ten waiting ones answers 429 with a retry time', async (t) => {
  const { account, image } = await stage();
  const held = await app.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from images where id = ${image.id} for update`);
    const changes = Array.from({ length: 12 }, (_, at) => change(account, image.id, { filename: `${at}.png` }));
    const first = await Promise.race(changes);
    t.equal(first.statusCode, 429);
    t.match(first.headers['retry-after'], /^\d+$/);
    return changes;
  });
  const statuses = (await Promise.all(held)).map(({ statusCode }) => statusCode);
  t.equal(statuses.filter((status) => status === 200).length, 11);
});

t.test('a waiting change whose client disconnects is not made', async (t) => {
  const { account, image } = await stage(['a.png']);
  const { socket, send } = await openSocket(await listen(app));
  const [first, last] = await app.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from images where id = ${image.id} for update`);
    const begun = change(account, image.id, { filename: 'first.png' });
    await eventually('the first change waits for the lock', async () => (await waitingForLocks(tx)) === 1);
    const reached = once(handled, 'PATCH');
    const asked = once(app.server, 'request');
    const body = '{"description":"of a client that has gone"}';
    await send(
      `PATCH /api/images/${image.id} HTTP/1.1\r\nhost: x\r\nauthorization: ${account.bearer.authorization}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await reached;
    const [request] = await asked;
    const gone = once(request.socket, 'close');
    socket.destroy();
    await gone;
    return [begun, change(account, image.id, { filename: 'last.png' })];
  });
  t.equal((await first).statusCode, 200);
  t.match((await last).json(), { image: { filename: 'last.png', description: '' } });
});
