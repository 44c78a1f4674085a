/** Responses from the link cache equal those from the storage, and end when an image is deleted. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen, type TestOptions, testConfig } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { openSocket } from '../testing/socket.ts';

const config = await testConfig(t);

/** Two servers of one gallery, with and without a link cache. */
async function openPair(options: TestOptions = {}) {
  const cached = await buildTestApp(t, { ...config, ...options });
  const bare = await buildTestApp(t, { ...config, ...options, cacheSize: 0 });
  return { cached, origin: await listen(cached), bareOrigin: await listen(bare) };
}

const byDefault = await openPair();
const { cached: app, origin, bareOrigin } = byDefault;
// With all headers that the settings add.
const behindProxy = await openPair({
  publicUrl: 'https://img.example.com',
  corsOrigin: ['https://a.example'],
  trustProxy: ['127.0.0.1'],
});

/** An image of a new account. */
async function openStage(server: FastifyInstance = app) {
  const account = await signIn(server);
  const [image] = await storeFiles(server, account, [{ name: 'a.png', bytes: await picture() }]);
  if (!image) throw new Error('nothing was stored');
  return { account, image, thumbnail: new URL(image.thumbnail_url).pathname, link: new URL(image.url).pathname };
}

/** Sends one request on a connection of its own that would stay open, and reads so many bytes of body. */
async function exchange(origin: string, lines: string[]): Promise<{ status: string; headers: string[]; body: string }> {
  const { socket, send } = await openSocket(origin);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await send(`${lines.join('\r\n')}\r\n\r\n`);
  const isWhole = () => {
    const [head, body] = text.split(/\r\n\r\n(.*)/s);
    const isEmpty = lines[0]?.startsWith('HEAD') || head?.includes(' 304 ');
    const length = isEmpty ? 0 : Number(/content-length: (\d+)/i.exec(head ?? '')?.[1] ?? 0);
    return body !== undefined && body.length >= length;
  };
  await eventually('the whole answer', isWhole);
  socket.destroy();
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [status = '', ...headers] = head.split('\r\n');
  const undated = headers
    .map((line) =>
      line.replace(/^(date: ).*GMT$/i, '$1now').replace(/^(x-request-id: )[\da-f-]{36}$/i, '$1one of its own'),
    )
    .map((line) => {
      const [name = '', value = ''] = line.split(/: (.*)/s);
      return `${name.toLowerCase()}: ${value}`;
    });
  return { status, headers: undated.sort(), body };
}

/** Requests a link until it is answered from the cache. */
async function warm(server: FastifyInstance, path: string): Promise<void> {
  await eventually('a response from the cache', async () => {
    const before = server.images.links.figures();
    await server.inject(path);
    const after = server.images.links.figures();
    return after.hits > before.hits && after.misses === before.misses;
  });
}

for (const [word, { cached, origin, bareOrigin }] of [
  ['by default', byDefault],
  ['with https, a proxy and other origins', behindProxy],
] as const) {
  t.test(`${word} a cached response equals an uncached one in status, headers and bytes`, async (t) => {
    const { thumbnail } = await openStage(cached);
    const ask = (at: string, method: string, ...more: string[]) =>
      exchange(at, [`${method} ${thumbnail} HTTP/1.1`, 'Host: localhost', ...more]);
    const uncached = await ask(bareOrigin, 'GET');
    t.equal(uncached.status, 'HTTP/1.1 200 OK');
    const etag = /etag: ("\w+")/.exec(uncached.headers.join('\n'))?.[1];
    await warm(cached, thumbnail);
    for (const [method = '', ...more] of [
      ['GET'],
      ['HEAD'],
      ['GET', `If-None-Match: ${etag}`],
      ['GET', `If-None-Match: "x", W/${etag}`],
      ['GET', 'If-None-Match: "x"'],
      ['HEAD', `If-None-Match: ${etag}`],
      ['GET', 'Range: bytes=5-20'],
      ['GET', 'Range: bytes=5-20', `If-Range: ${etag}`],
      ['GET', 'Range: bytes=5-20', 'If-Range: "x"'],
      ['GET', 'Range: bytes=999999-'],
      ['GET', 'Origin: https://a.example'],
    ]) {
      const wanted = await ask(bareOrigin, method, ...more);
      t.same(await ask(origin, method, ...more), wanted, [method, ...more].join(' '));
    }
  });
}

t.test('many requests sent at once on one connection are answered in their order', async (t) => {
  const { thumbnail } = await openStage();
  await warm(app, thumbnail);
  const { send, received } = await openSocket(origin);
  const ask = (path: string, ...more: string[]) =>
    [`GET ${path} HTTP/1.1`, 'Host: localhost', ...more].join('\r\n').concat('\r\n\r\n');
  await send(
    ask(thumbnail) + ask('/api/health/live') + ask(thumbnail) + ask('/i/none') + ask(thumbnail, 'Connection: close'),
  );
  const statuses = [...(await received).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
  t.same(statuses, ['200', '200', '200', '404', '200']);
});

t.test('a link in memory needs neither disk nor database', async (t) => {
  const { image, thumbnail, link } = await openStage();
  const { etag } = (await app.inject(link)).headers;
  await warm(app, thumbnail);
  const files = (await storedFiles(config.dataDir)).filter((file) => file.includes(image.id));
  t.match(files, [/^originals/, /^thumbnails/]);
  for (const file of files) await rm(join(config.dataDir, 'files', file));
  // Nobody may read images any more, for as long as this transaction lasts.
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`lock table images in access exclusive mode`);
    const answer = await app.inject(thumbnail);
    t.equal(answer.statusCode, 200);
    t.equal((await exchange(origin, [`GET ${thumbnail} HTTP/1.1`, 'Host: localhost'])).status, 'HTTP/1.1 200 OK');
    t.equal((await app.inject({ url: link, headers: { 'if-none-match': String(etag) } })).statusCode, 304);
  });
});

const deletions: [string, (stage: Awaited<ReturnType<typeof openStage>>) => Promise<unknown>][] = [
  ['another program', ({ image }) => app.db.execute(sql`delete from images where id = ${image.id}`)],
  ['the end of its account', ({ account }) => app.db.execute(sql`delete from users where id = ${account.id}`)],
];

t.test('a cached link ends before its deletion is answered', async (t) => {
  const { thumbnail, link, image, account } = await openStage();
  await app.inject(link);
  await warm(app, thumbnail);
  const deleting = app.inject({
    method: 'DELETE',
    url: `/api/images/delete/${image.id}`,
    headers: account.bearer,
  });
  t.equal((await deleting).statusCode, 204);
  for (const path of [thumbnail, link]) {
    t.match((await exchange(origin, [`GET ${path} HTTP/1.1`, 'Host: localhost'])).status, '404');
  }
});

for (const [word, deletion] of deletions) {
  t.test(`a cached link ends by ${word} too`, async (t) => {
    const stage = await openStage();
    const { thumbnail, link } = stage;
    await app.inject(link);
    await warm(app, thumbnail);
    await deletion(stage);
    for (const path of [thumbnail, link]) {
      await eventually(`${path} answers 404`, async () => (await fetch(origin + path)).status === 404);
    }
    t.pass('both are dead');
  });
}

t.test('nothing is cached with CACHE_SIZE=0', async (t) => {
  const { image, thumbnail } = await openStage();
  for (const _time of [1, 2, 3]) t.equal((await fetch(bareOrigin + thumbnail)).status, 200);
  await app.db.execute(sql`delete from images where id = ${image.id}`);
  t.equal((await fetch(bareOrigin + thumbnail)).status, 404, 'at once, whoever deleted it');
});
