import { abuse } from '../../testing/abuse.ts';
import { randomCredentials } from '../../testing/account.ts';
import { asJson, call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

// The list of abuses says 8 to 128; this product's API contract allows 8 to 256 (server/contract.ts).
abuse('A7', 'every character of a password is significant', async (t) => {
  const { origin } = await serve(t);
  const accepted: Record<string, string> = {
    'eight letters': 'abcdefgh',
    '64 letters': 'x'.repeat(64),
    '73 letters, beyond the 72 of bcrypt': `${'y'.repeat(72)}z`,
    '256 letters': 'w'.repeat(256),
    'a NUL inside': 'before\0after the NUL',
    'emoji alone': '🔐🗝️🔐🗝️🔐🗝️',
    'spaces at both ends': '   space around   ',
    'a line break inside': 'two\r\nlines of it',
    'SQL and shell syntax': "'; drop table users; -- $(id) %s",
  };
  for (const [about, password] of Object.entries(accepted)) {
    const account = { ...randomCredentials(), password };
    t.equal((await call(origin, '/api/auth/register', asJson(account))).status, 201, about);
    const logIn = (given: string) => call(origin, '/api/auth/login', asJson({ email: account.email, password: given }));
    t.equal((await logIn(password)).status, 200, `${about}: logs in`);
    for (const wrong of [
      password.slice(0, -1),
      `${password}x`,
      password.trim() === password ? ` ${password}` : password.trim(),
      password.split('\0')[0] === password ? `${password}\0` : (password.split('\0')[0] ?? ''),
      password.toUpperCase() === password ? '' : password.toUpperCase(),
    ])
      refused(t, await logIn(wrong), 401, `${about}: ${JSON.stringify(wrong.slice(-20))}`);
  }
});

abuse(
  'A7',
  'too short or too long passwords are refused with a message, huge ones before they are parsed',
  async (t) => {
    const { origin, sql } = await serve(t);
    const register = (password: unknown) =>
      call(origin, '/api/auth/register', asJson({ ...randomCredentials(), password }));
    for (const password of ['', '1234567', '       ', 'x'.repeat(257), 'x'.repeat(4096)]) {
      const answer = await register(password);
      refused(t, answer, 400, `${password.length} letters`);
      t.match(JSON.parse(answer.body).message, /8 to 256 characters/);
    }
    refused(t, await register('x'.repeat(1_000_000)), 413, 'a million letters');
    const login = (password: unknown) => call(origin, '/api/auth/login', asJson({ email: 'a@example.com', password }));
    refused(t, await login('x'.repeat(60_000)), [400, 401], 'a login with 60,000 letters');
    const marks = `a${'\u0301'.repeat(15_000)}${'\u0316'.repeat(15_000)}`;
    refused(t, await login(marks), [400, 401], 'a login with 30,000 marks on one letter');
    const asEmail = await call(origin, '/api/auth/login', asJson({ email: marks, password: 'x' }));
    refused(t, asEmail, [400, 401], '30,000 marks as an email');
    refused(t, await login('x'.repeat(1_000_000)), 413, 'a login with a million letters');
    t.same(await sql('select id from users'), []);
  },
);
