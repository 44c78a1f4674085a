import t from 'tap';
import { picture, svg } from '../../server/testing/pictures.ts';
import { openSocket } from '../../server/testing/socket.ts';
import { newAccount, pathOf, send, store } from '../testing/account.ts';
import { asJson, type Call, call } from '../testing/call.ts';
import { serve } from '../testing/loopback.ts';
import { measured } from '../testing/measured.ts';

type Headers = Record<string, string | string[] | undefined>;

/** What is missing of the headers that guard every answer, and the more that guard strangers' files. */
function missing(headers: Headers, isFile: boolean): string[] {
  const policy = String(headers['content-security-policy'] ?? '');
  const wanted: [string, boolean][] = [
    ['nosniff', headers['x-content-type-options'] === 'nosniff'],
    ['a policy', /default-src 'none'/.test(policy)],
    ['no inline scripts', !/script-src[^;]*'unsafe-(?:inline|eval)'/.test(policy)],
    ['frame-ancestors', /frame-ancestors 'none'/.test(policy)],
    ['Referrer-Policy', Boolean(headers['referrer-policy'])],
    ['sandbox', !isFile || /(?:^|; ?)sandbox(?:;|$)/.test(policy)],
  ];
  return wanted.filter(([, there]) => !there).map(([name]) => name);
}

t.test('every answer carries its guarding headers, refusals and what is no request too', async (t) => {
  const { origin } = await serve(t, { quotaImages: 3, expected: [503] });
  const account = await newAccount(origin);
  const [photo, drawing] = await store(origin, account, [
    { name: 'a.png', bytes: await picture() },
    { name: 'a.svg', bytes: svg },
    { name: 'a.tiff', bytes: await picture({ format: 'tiff' }) },
  ]);
  const own = { headers: account.bearer };
  const file = pathOf(photo?.url);
  const calls: [string, Call?][] = [
    ['/'],
    ['/login'],
    ['/register'],
    ['/dashboard/upload'],
    ['/nowhere'],
    ['/mark.svg'],
    ['/assets/none.js'],
    ['/api/health/live'],
    ['/api/health/ready'],
    ['/api/auth/me'],
    ['/api/auth/me', own],
    ['/api/auth/login', asJson(account)],
    ['/api/auth/login', asJson({})],
    ['/api/auth/login', { ...asJson({}), body: '{' }],
    ['/api/auth/register', asJson(account)],
    ['/api/auth/login', { ...asJson({}), body: 'x'.repeat(100_000) }],
    ['/api/images/', own],
    ['/api/images/?page=0', own],
    ['/api/images/upload', { method: 'POST', ...own }],
    ['/api/images/delete/none', { method: 'DELETE', ...own }],
    [`/api/images/${photo?.id}/original`, own],
    [`/api/images/${photo?.id}/original`],
    ['/api/none'],
    ['/%zz'],
    ['/', { headers: { host: '<script>' } }],
    ['/', { method: 'TRACE' }],
    [
      '/api/images/',
      { method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' } },
    ],
    [file],
    [file, { method: 'HEAD' }],
    [file, { headers: { range: 'bytes=0-3' } }],
    [file, { headers: { range: 'bytes=99999999-' } }],
    [file, { headers: { 'if-none-match': '*' } }],
    [pathOf(photo?.thumbnail_url)],
    [pathOf(drawing?.url)],
    ['/i/none.png'],
    ['/i/none/thumbnail.webp'],
  ];
  const bare: string[] = [];
  const seen: number[] = [];
  const note = (about: string, status: number, headers: Headers, isFile: boolean) => {
    seen.push(status);
    const gone = missing(headers, isFile);
    if (gone.length > 0) bare.push(`${about} ${status}: ${gone.join(', ')}`);
  };
  for (const [path, options = {}] of calls) {
    const { status, headers } = await call(origin, path, options);
    const isFile = status < 400 && (path.startsWith('/i/') || path.endsWith('/original'));
    note(`${options.method ?? 'GET'} ${path}`, status, headers, isFile);
  }
  const full = await send(origin, account, [{ name: 'b.png', bytes: await picture() }]);
  note('an upload beyond the quota', full.status, full.headers, false);
  for (const text of [
    'GARBAGE\r\n\r\n',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    'GET / HTTP/1.1\r\n\r\n',
  ]) {
    const { send: write, received } = await openSocket(origin);
    await write(text);
    const [head = ''] = (await received).split('\r\n\r\n');
    const lines = head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]);
    note(JSON.stringify(text.slice(0, 12)), Number(head.slice(9, 12)), Object.fromEntries(lines), false);
  }
  t.same(bare, []);
  for (const status of [200, 206, 304, 400, 401, 404, 409, 413, 416, 431])
    t.ok(seen.includes(status), `a ${status} was among them`);
  measured('G17', { seen: `${seen.length - bare.length} of ${seen.length}`, held: bare.length === 0 });
});
