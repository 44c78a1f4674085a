/** The page of a collect link in a chat. It needs the built client. */
import t from 'tap';
import { buildTestApp } from '../testing/app.ts';
import { collector } from '../testing/guests/collector.ts';

const app = await buildTestApp(t, { publicUrl: 'https://img.example' });

t.test('programs that make previews read the name of a collect link, and nothing of one that has ended', async (t) => {
  const { link, call } = await collector(app);
  const { path, id } = await link({ name: 'Party <2026>', password: 'rather-a-good-one' });
  const page = await app.inject(path);
  t.equal(page.statusCode, 200);
  t.match(page.body, '<title>Party &lt;2026&gt; · Encryption</title>');
  t.match(page.body, '<meta property="og:title" content="Party &lt;2026&gt;">');
  t.match(page.body, '<meta property="og:description" content="Add your pictures here. You need no account.">');
  t.match(page.body, `<meta property="og:url" content="https://img.example${path}">`);
  t.match(page.body, '<meta property="og:image" content="https://img.example/icons/icon-512.png">');
  t.match(page.body, '<div id="root">', 'it is the page of the client');
  t.match(page.headers['content-security-policy'], "script-src 'self' 'sha256-");
  const arabic = await app.inject({ url: path, headers: { 'accept-language': 'ar' } });
  t.match(arabic.body, 'أضف صورك هنا');
  t.equal((await app.inject({ method: 'HEAD', url: path })).statusCode, 200);
  await call('DELETE', `/${id}`);
  for (const url of [path, '/c/AAAAAAAAAAAAAAAAAAAAAA']) {
    const empty = await app.inject(url);
    t.equal(empty.statusCode, 200);
    t.match(empty.body, '<title>Encryption</title>');
    t.notMatch(empty.body, /og:|Party/);
  }
});

t.test(
  'the page of a collect link answers as a page beyond its limit, which the calls of guests do not use up',
  async (t) => {
    const limited = await buildTestApp(t, { rateLimit: 'on' });
    const { link } = await collector(limited);
    const { path } = await link({ name: 'Party' });
    const repeat = (url: string) => Promise.all(Array.from({ length: 601 }, () => limited.inject(url)));
    t.ok((await repeat(`${path}/link`)).some(({ statusCode }) => statusCode === 429));
    t.match((await limited.inject(path)).body, 'Party');
    const refused = (await repeat(path)).find(({ statusCode }) => statusCode === 429);
    t.match(refused?.headers, { 'content-type': 'text/html; charset=utf-8', 'retry-after': /^\d+$/ });
    t.match(refused?.body, '<div id="root">');
    t.notMatch(refused?.body, 'Party');
  },
);
