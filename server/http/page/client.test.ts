import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { readConfig } from '../../config/read-config.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { responseHeaders } from '../response-headers.ts';
import { client } from './client.ts';

const boot = 'document.title = "booted";';
const page = `<!doctype html><head><script>${boot}</script><script type="module" src="/assets/a.js"></script></head>`;
const script = 'export const words = "the same words again and again";\n'.repeat(40);

/** A client as the build writes it: each text plain, as Brotli and as gzip, except one too small to compress. */
async function withPage(t: Test): Promise<FastifyInstance> {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  const paths = ['^/?$', '^/login/?$', '^/dashboard/?$', '^/dashboard/images/?$', '^/dashboard/albums/(?<id>[^/]+)/?$'];
  await writeFile(join(folder, '.vite/paths.json'), JSON.stringify(paths));
  for (const [name, text] of [
    ['index.html', page],
    ['assets/a.js', script],
  ] as const) {
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(text));
    await writeFile(join(folder, `${name}.gz`), gzipSync(text));
  }
  await writeFile(join(folder, 'assets/tiny.js'), '1');
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(responseHeaders, { config: readConfig({}) });
  await app.register(client, { folder });
  return app;
}

const accept = (encodings: string) => ({ 'accept-encoding': encodings });

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

const wanted: [accepted: string | undefined, sent: string][] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip;q=0.9, br;q=0.1', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'gzip'],
  ['br;q=0, gzip;q=0, *;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['deflate', 'identity'],
  ['identity', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
];

for (const [accepted, sent] of wanted) {
  t.test(
    `${accepted === undefined ? 'no Accept-Encoding' : `Accept-Encoding "${accepted}"`} is answered with ${sent}`,
    async (t) => {
      const app = await withPage(t);
      for (const [url, text] of [
        ['/assets/a.js', script],
        ['/dashboard/images', page],
      ] as const) {
        const answer = await app.inject({ url, headers: accepted === undefined ? {} : accept(accepted) });
        t.equal(answer.headers['content-encoding'], sent === 'identity' ? undefined : sent, url);
        t.equal(String(decoders[sent]?.(answer.rawPayload)), text, 'the body matches its Content-Encoding');
        t.match(answer.headers.vary, /accept-encoding/i, 'caches keep the encodings apart');
        t.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
        t.match(answer.headers['content-type'], url.endsWith('.js') ? /javascript/ : /text\/html/);
      }
    },
  );
}

t.test('a path that the client has is 200 in any case and with a closing slash, and any other is 404', async (t) => {
  const app = await withPage(t);
  const statusOf = async (url: string) => (await app.inject({ url })).statusCode;
  for (const url of ['/', '/Login?a=1', '/dashboard', '/dashboard/images/', '/dashboard/albums/0b1c/'])
    t.equal(await statusOf(url), 200, url);
  for (const url of ['/nowhere', '/dashboard/nowhere', '/dashboard/albums/0b1c/more', '/.vite/paths.json'])
    t.equal(await statusOf(url), 404, url);
  const part = await app.inject({ url: '/nowhere', headers: { range: 'bytes=0-9' } });
  t.same([part.statusCode, part.headers['content-range']], [404, undefined]);
  t.equal(part.body, page, 'the whole page');
});

t.test('each encoding has its own ETag, and only that ETag gets a 304', async (t) => {
  const app = await withPage(t);
  for (const url of ['/assets/a.js', '/login']) {
    const forms = ['br', 'gzip', 'identity'];
    const tags = await Promise.all(
      forms.map(async (form) => String((await app.inject({ url, headers: accept(form) })).headers.etag)),
    );
    t.equal(new Set(tags).size, 3, `${url}: ${tags}`);
    for (const [index, form] of forms.entries()) {
      const ask = (tag = '') => app.inject({ url, headers: { ...accept(form), 'if-none-match': tag } });
      t.equal((await ask(tags[index])).statusCode, 304, form);
      t.equal((await ask(tags[(index + 1) % 3])).statusCode, 200, `${form} with the ETag of another encoding`);
    }
  }
});

t.test('hashed assets are immutable, and the page is revalidated every time', async (t) => {
  const app = await withPage(t);
  for (const form of ['br', 'gzip', 'identity']) {
    const control = async (url: string) => (await app.inject({ url, headers: accept(form) })).headers['cache-control'];
    t.equal(await control('/assets/a.js'), 'public, max-age=31536000, immutable', form);
    t.equal(await control('/dashboard'), 'no-cache', form);
  }
});

t.test('a file without compressed copies is sent uncompressed', async (t) => {
  const app = await withPage(t);
  const answer = await app.inject({ url: '/assets/tiny.js', headers: accept('br, gzip') });
  t.equal(answer.headers['content-encoding'], undefined);
  t.equal(answer.payload, '1');
  t.match(answer.headers.vary, /accept-encoding/i);
});

t.test('compressed copies have no URLs', async (t) => {
  const app = await withPage(t);
  for (const url of ['/assets/a.js.br', '/assets/a.js.gz', '/index.html.br']) {
    const answer = await app.inject({ url });
    t.equal(answer.statusCode, 404, url);
    t.match(answer.headers['content-type'], /text\/html/, 'the 404 page');
  }
});

t.test('the Content-Security-Policy allows only the page’s own inline script', async (t) => {
  const app = await withPage(t);
  const hash = `'sha256-${createHash('sha256').update(boot).digest('base64')}'`;
  for (const url of ['/', '/login', '/nowhere', '/index.html']) {
    for (const form of ['br', 'identity']) {
      const { headers } = await app.inject({ url, headers: accept(form) });
      const policy = String(headers['content-security-policy']).split(';');
      t.ok(policy.includes(`script-src 'self' ${hash}`), `${url}, ${form}: ${policy}`);
      t.ok(policy.includes("require-trusted-types-for 'script'"));
    }
  }
  const { headers } = await app.inject({ url: '/assets/a.js' });
  t.notMatch(headers['content-security-policy'], /sha256/, 'other responses do not allow it');
});

t.test('a share that reaches the server is discarded and redirects to the "missed" page', async (t) => {
  const app = await withPage(t);
  for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'application/x-www-form-urlencoded']) {
    const payload = `--x\r\n${'a picture '.repeat(50_000)}`;
    const answer = await app.inject({ method: 'POST', url: '/share', headers: { 'content-type': type }, payload });
    t.equal(answer.statusCode, 303, type);
    t.equal(answer.headers.location, '/dashboard/upload?share=missed');
    t.equal(answer.headers['cache-control'], 'no-store');
  }
});

t.test('only a share from the device or this site reaches the upload page', async (t) => {
  const app = await withPage(t);
  const kept = '0f9a3c1e-0000-4000-8000-000000000000';
  const deduplicated = async (url: string, site?: string) => {
    const answer = await app.inject({ url, headers: site === undefined ? {} : { 'sec-fetch-site': site } });
    t.equal(answer.headers['cache-control'], 'no-store');
    return [answer.statusCode, answer.headers.location];
  };
  for (const site of ['none', 'same-origin'])
    t.same(await deduplicated(`/share?kept=${kept}`, site), [303, `/dashboard/upload?share=${kept}`], site);
  for (const site of ['cross-site', 'same-site', 'anything', undefined])
    t.same(await deduplicated(`/share?kept=${kept}`, site), [303, '/dashboard/upload?share=missed'], `${site}`);
  for (const url of ['/share', '/share?kept=', '/share?kept=//evil.example', `/share?kept=${kept}&kept=${kept}`])
    t.same(await deduplicated(url, 'none'), [303, '/dashboard/upload?share=missed'], url);
});
