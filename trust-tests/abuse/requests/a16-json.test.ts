import { abuse } from '../../testing/abuse.ts';
import { randomCredentials } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

abuse('A16', 'JSON that does not match a route’s schema is refused', async (t) => {
  const { origin, sql } = await serve(t);
  const { username, email, password } = randomCredentials();
  const body = (changes: object) => JSON.stringify({ username, email, password, ...changes });
  const bodies: Record<string, [string | Uint8Array, number | number[]]> = {
    '2 MB': [body({ username: 'x'.repeat(2_000_000) }), 413],
    '200,000 arrays deep': [deep('[', ']', 200_000), [400, 413]],
    '30,000 arrays deep, within the size': [deep('[', ']', 30_000), 400],
    '10,000 objects deep, within the size': [deep('{"a":', '}', 10_000), 400],
    __proto__: [
      `{"__proto__":{"admin":true},"username":"${username}","email":"${email}","password":"${password}"}`,
      400,
    ],
    'constructor.prototype': [`{"constructor":{"prototype":{"admin":true}},"username":"x"}`, 400],
    'a NUL for a name': [body({ username: 'ab\0cd' }), 400],
    'an array for a text': [body({ email: [email] }), 400],
    'an object for a text': [body({ password: { $ne: null } }), 400],
    'a number for a text': [body({ username: 12345 }), 400],
    'a huge number for a text': [`{"username":1e999,"email":"${email}","password":"${password}"}`, 400],
    'true for a text': [body({ password: true }), 400],
    'null for a text': [body({ password: null }), 400],
    'nothing for a text': [body({ password: undefined }), 400],
    NaN: [`{"username":NaN}`, 400],
    'single quotes': [`{'username':'a'}`, 400],
    'an array': ['[]', 400],
    'a text': ['"text"', 400],
    null: ['null', 400],
    nothing: ['', 400],
    'a trailing comma': [`{"username":"a",}`, 400],
    'truncated JSON': ['{"username":"a', 400],
    'bytes that are not UTF-8': [Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]), 400],
    'half a surrogate pair': [body({ username: 'abc' }).replace('abc', 'ab\\ud83d'), 400],
    'a byte order mark alone': ['\ufeff', 400],
  };
  for (const path of ['/api/auth/register', '/api/auth/login']) {
    for (const [about, [bytes, status]] of Object.entries(bodies)) {
      const headers = { 'content-type': 'application/json' };
      const answer = await call(origin, path, { method: 'POST', headers, body: bytes });
      // Login accepts any text: a text that matches no account is wrong credentials.
      refused(t, answer, path.endsWith('login') ? [status, 401].flat() : status, `${path}: ${about}`);
      t.match(JSON.parse(answer.body), { statusCode: answer.status, message: /\w/ });
    }
  }
  t.equal(({} as { admin?: boolean }).admin, undefined, 'Object.prototype is unchanged');
  t.same(await sql('select id from users'), []);
});

abuse('A16', 'registration ignores unknown fields', async (t) => {
  const { origin, sql } = await serve(t);
  const extra = {
    id: '00000000-0000-7000-8000-000000000000',
    created_at: '1999-01-01',
    disabled_at: null,
    image_bytes: -1e9,
    role: 'admin',
  };
  const answer = await call(origin, '/api/auth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...randomCredentials(), ...extra }),
  });
  t.equal(answer.status, 201);
  const { user } = JSON.parse(answer.body);
  t.same(Object.keys(user).sort(), ['created_at', 'email', 'id', 'username']);
  t.not(user.id, extra.id);
  t.match(await sql('select image_bytes::int as bytes from users'), [{ bytes: 0 }]);
});
