import { readFileSync } from 'node:fs';
import t from 'tap';
import { buildTestApp } from '../../testing/app.ts';

t.test('the document is served to anyone, and its ETag revalidates a copy', async (t) => {
  const app = await buildTestApp(t);
  const answer = await app.inject('/api/openapi.json');
  t.equal(answer.statusCode, 200);
  t.match(answer.headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' });
  t.strictSame(answer.json(), JSON.parse(readFileSync('server/openapi/openapi.json', 'utf8')));
  t.equal(answer.headers['access-control-allow-origin'], '*', 'consoles on any origin read it');
  const again = await app.inject({
    url: '/api/openapi.json',
    headers: { 'if-none-match': String(answer.headers.etag) },
  });
  t.equal(again.statusCode, 304);
  t.equal(again.body, '');
});

t.test('an allowed origin may read the document with its credentials', async (t) => {
  const app = await buildTestApp(t, { corsOrigin: ['https://front.example'] });
  const originFor = async (origin: string) =>
    (await app.inject({ url: '/api/openapi.json', headers: { origin } })).headers['access-control-allow-origin'];
  t.equal(await originFor('https://front.example'), 'https://front.example');
  t.equal(await originFor('https://console.example'), '*');
});
