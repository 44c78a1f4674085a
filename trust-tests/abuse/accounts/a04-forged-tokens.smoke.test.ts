import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { temporaryFolder } from '../../../server/testing/app.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';
import { run } from '../../testing/server-process.ts';

const secret = 'the secret of this very server, 32 bytes and more';
const part = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const signed = (header: object, claims: object, key: string, hash = 'sha256') => {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
};
const hs256 = { alg: 'HS256', typ: 'JWT' };

abuse('A4', 'a token that this server did not sign for this use is rejected', async (t) => {
  const { origin } = await serve(t, { jwtSecret: secret });
  const { token, cookie } = await newAccount(origin);
  const [header = '', body = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const now = Math.floor(Date.now() / 1000);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rs256 = `${part({ alg: 'RS256', typ: 'JWT' })}.${body}`;

  const forged: Record<string, string> = {
    'another key': signed(hs256, claims, 'the secret of some other server, as long as this'),
    'an empty key': signed(hs256, claims, ''),
    'HS384 with our own key': signed({ alg: 'HS384', typ: 'JWT' }, claims, secret, 'sha384'),
    'HS512 with our own key': signed({ alg: 'HS512', typ: 'JWT' }, claims, secret, 'sha512'),
    RS256: `${rs256}.${sign('sha256', Buffer.from(rs256), privateKey).toString('base64url')}`,
    'RS256 in name, signed by HMAC': signed({ alg: 'RS256', typ: 'JWT' }, claims, secret),
    'a kid that is a path': signed({ ...hs256, kid: '../../../../dev/null' }, claims, ''),
    'a kid that is SQL': signed({ ...hs256, kid: "x' union select 'k" }, claims, 'k'),
    'a key inside the token': signed({ ...hs256, jwk: { kty: 'oct', k: part('k') } }, claims, 'k'),
    'a key from elsewhere': signed({ ...hs256, jku: 'http://127.0.0.1:1/k' }, claims, 'k'),
    'other claims under the old signature': `${header}.${part({ ...claims, sub: 'someone else' })}.${signature}`,
    'another session under the old signature': `${header}.${part({ ...claims, sid: claims.sub })}.${signature}`,
    'no signature': `${header}.${body}.`,
    'no third part': `${header}.${body}`,
    'a cut signature': token.slice(0, -4),
    expired: signed(hs256, { ...claims, iat: now - 7200, exp: now - 3600 }, secret),
    'not yet valid': signed(hs256, { ...claims, nbf: now + 3600 }, secret),
    'another use': signed(hs256, { ...claims, use: 'refresh' }, secret),
    'no use': signed(hs256, { ...claims, use: undefined }, secret),
    'no session': signed(hs256, { ...claims, sid: undefined }, secret),
    'a session that is no id': signed(hs256, { ...claims, sid: "' or 1=1 --" }, secret),
    'a session that is an object': signed(hs256, { ...claims, sid: { $ne: null } }, secret),
    'a session that never was': signed(hs256, { ...claims, sid: '01939e4c-0000-7000-8000-000000000000' }, secret),
    'the cookie in place of the bearer': cookie.split('=')[1] ?? '',
    'an array': part('[]'),
    'a very long one': 'a'.repeat(12_000),
    nothing: '',
  };
  for (const alg of ['none', 'None', 'nOnE', 'NONE', '', null])
    for (const end of ['', signature])
      forged[`alg ${JSON.stringify(alg)}${end && ' beside the old signature'}`] =
        `${part({ alg, typ: 'JWT' })}.${body}.${end}`;

  const accepted: string[] = [];
  for (const [name, bearer] of Object.entries(forged)) {
    const answers = [await call(origin, '/api/auth/me', { headers: { authorization: `Bearer ${bearer}` } })];
    if (!name.startsWith('the cookie')) {
      answers.push(await call(origin, '/api/auth/me', { headers: { cookie: `session=${bearer}` } }));
    }
    for (const answer of answers) {
      refused(t, answer, 401, name);
      if (answer.status < 400) accepted.push(name);
    }
  }
  const good = await call(origin, '/api/auth/me', {
    headers: { authorization: `Bearer ${signed(hs256, claims, secret)}` },
  });
  t.equal(good.status, 200, 'a correctly signed token is accepted, so the forgeries were rejected for their defects');
  const count = Object.keys(forged).length;
  measured('G16', { part: 'forged', seen: `${accepted.length} of ${count} forged`, held: accepted.length === 0 });
});

abuse('A4', 'a too short JWT_SECRET stops the start and is not printed', async (t) => {
  for (const short of ['short-secret', 'a'.repeat(31)]) {
    const { ended, output } = run(t, { JWT_SECRET: short, DATA_DIR: await temporaryFolder(t), PORT: '0' });
    t.equal(await ended, 1);
    t.match(output(), /^JWT_SECRET must be a secret of at least 32 bytes[^\n]*\n$/);
    t.notOk(output().includes(` ${short} `) || output().includes(`"${short}"`));
  }
});
