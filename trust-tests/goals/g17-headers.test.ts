import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Image } from '../../server/contract.ts';
import { temporaryFolder } from '../../server/testing/app.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { picture, svg } from '../../server/testing/pictures.ts';
import { openSocket } from '../../server/testing/socket.ts';
import { type Account, newAccount, pathOf, randomCredentials, send, store } from '../testing/account.ts';
import { type Answer, asJson, type Call, call } from '../testing/call.ts';
import { type Loopback, serve, takeFailures } from '../testing/machine/loopback.ts';
import { mountTmpfs } from '../testing/machine/mounts.ts';
import { withoutMount } from '../testing/machine/tools.ts';
import { measured } from '../testing/measured.ts';

type Headers = Record<string, string | string[] | undefined>;

/** @returns which security headers an answer lacks; user files need a sandbox too */
function missing(headers: Headers, isFile: boolean): string[] {
  const policy = String(headers['content-security-policy'] ?? '');
  const wanted: [string, boolean][] = [
    ['nosniff', headers['x-content-type-options'] === 'nosniff'],
    ['a policy', /default-src 'none'/.test(policy)],
    ['no inline scripts', !/script-src[^;]*'unsafe-(?:inline|eval)'/.test(policy)],
    ['frame-ancestors', /frame-ancestors 'none'/.test(policy)],
    ['Referrer-Policy', Boolean(headers['referrer-policy'])],
    ['Permissions-Policy', /camera=\(\)/.test(String(headers['permissions-policy']))],
    ['sandbox', !isFile || /(?:^|; ?)sandbox(?:;|$)/.test(policy)],
  ];
  return wanted.filter(([, there]) => !there).map(([name]) => name);
}

/** Makes one try count as a thousand. @returns the answer beyond the limit */
async function tooMany({ origin, sql }: Loopback): Promise<Answer> {
  const guess = () => call(origin, '/api/auth/login', asJson({ email: 'nobody@example.com', password: 'a guess' }));
  await guess();
  await sql(`update rate_limits set count = 1000, resets_at = now() + interval '1 hour'`);
  return guess();
}

async function fullDisk(t: Test): Promise<Answer> {
  const dataDir = await temporaryFolder(t);
  const disk = mountTmpfs(t, join(dataDir, 'files'), '1m');
  const { origin } = await serve(t, { dataDir, expected: [507] });
  const account = await newAccount(origin);
  disk.fill();
  return send(origin, account, [{ name: 'a.png', bytes: await picture() }]);
}

/** Calls of pages, the API and links, most of them refused. @param images a photograph and a drawing of the account */
function callsOf(account: Account, [photo, drawing]: readonly Image[]): [string, Call?][] {
  const own = { headers: account.bearer };
  const file = pathOf(photo?.url);
  return [
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
}

/** Collects the statuses of answers, and the answers that lack a security header. */
function createCheck() {
  const bare: string[] = [];
  const seen: number[] = [];
  const note = (about: string, status: number, headers: Headers, isFile = false) => {
    seen.push(status);
    const gone = missing(headers, isFile);
    if (gone.length > 0) bare.push(`${about} ${status}: ${gone.join(', ')}`);
  };
  return {
    bare,
    seen,
    note,
    async from(about: string, answer: Promise<Answer>) {
      const { status, headers } = await answer;
      note(about, status, headers);
    },
    /** @param answer as it was sent, with its headers */
    fromRaw(about: string, answer: string) {
      const [head = ''] = answer.split('\r\n\r\n');
      const lines = head
        .split('\r\n')
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]);
      note(about, Number(head.slice(9, 12)), Object.fromEntries(lines));
    },
  };
}

t.test('every answer has the security headers, even errors and answers to malformed requests', async (t) => {
  const { origin, sql } = await serve(t, { quotaImages: 4, expected: [500] });
  const account = await newAccount(origin);
  const images = await store(origin, account, [
    { name: 'a.png', bytes: await picture() },
    { name: 'a.svg', bytes: svg },
    { name: 'a.tiff', bytes: await picture({ format: 'tiff' }) },
  ]);
  const own = { headers: account.bearer };
  const { bare, seen, note, from, fromRaw } = createCheck();
  for (const [path, options = {}] of callsOf(account, images)) {
    const { status, headers } = await call(origin, path, options);
    const isFile = status < 400 && (path.startsWith('/i/') || path.endsWith('/original'));
    note(`${options.method ?? 'GET'} ${path}`, status, headers, isFile);
  }
  const png = await picture();
  const newcomer = asJson(randomCredentials());
  await from('a registration', call(origin, '/api/auth/register', newcomer));
  await from('a file that is not a picture', send(origin, account, [{ name: 'b.txt', bytes: 'a text' }]));
  await from('half a picture', send(origin, account, [{ name: 'b.png', bytes: png.subarray(0, 60) }]));
  const both = [
    { name: 'b.png', bytes: png },
    { name: 'b.txt', bytes: 'a text' },
  ];
  await from('one of two', send(origin, account, both));
  await from('an upload beyond the quota', send(origin, account, [{ name: 'c.png', bytes: png }]));
  await from('a deletion', call(origin, `/api/images/delete/${images[1]?.id}`, { method: 'DELETE', ...own }));
  await from('an upload', send(origin, account, [{ name: 'd.png', bytes: png }]));
  const elsewhere = { cookie: account.cookie, origin: 'https://evil.example' };
  await from('a call of another site', call(origin, '/api/auth/logout', { method: 'POST', headers: elsewhere }));
  await from('a logout', call(origin, '/api/auth/logout', { method: 'POST', ...own }));

  const limited = await serve(t, { rateLimit: 'on' });
  await from('too many', tooMany(limited));
  const busy = await serve(t, { expected: [503], options: { pressure: { rss: 1 } } });
  // The server checks its memory each second.
  await eventually('the server is under pressure', async () => (await call(busy.origin, '/login')).status === 503);
  await from('under pressure', call(busy.origin, '/login'));
  if (!withoutMount) await from('a full disk', fullDisk(t));
  await sql('alter table images rename to images_elsewhere');
  // A link that nobody requested: the link cache would answer a known one without the database.
  await from('a failure', call(origin, `/i/${'a'.repeat(22)}.png`));
  for (const text of [
    'GARBAGE\r\n\r\n',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    'GET / HTTP/1.1\r\n\r\n',
  ]) {
    const { send: write, received } = await openSocket(origin);
    await write(text);
    fromRaw(JSON.stringify(text.slice(0, 12)), await received);
  }
  t.same(bare, []);
  const wanted = [200, 201, 204, 206, 207, 304, 400, 401, 403, 404, 409, 413, 415, 416, 422, 429, 431, 500, 503];
  for (const status of [...wanted, ...(withoutMount ? [] : [507])])
    t.ok(seen.includes(status), `a ${status} was among them`);
  t.same(
    takeFailures().filter((failure) => !/: 50[037]$/.test(failure)),
    [],
  );
  measured('G17', { seen: `${seen.length - bare.length} of ${seen.length}`, held: bare.length === 0 });
});
