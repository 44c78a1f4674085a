import t from 'tap';
import { buildTestApp } from '../../testing/app.ts';
import { approve } from '../roles/queries.ts';
import { insertInvite } from './queries.ts';

const password = 'rather-a-good-one';
let number = 0;

function callsOf(app: Awaited<ReturnType<typeof buildTestApp>>) {
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
  return {
    register(more: object = {}) {
      number += 1;
      return post('/api/auth/register', {
        ...{ username: `someone-${number}`, email: `someone-${number}@example.com`, password },
        ...more,
      });
    },
    logIn: (email: string) => post('/api/auth/login', { email, password }),
    read: (secret: string) => post('/api/auth/invite', { secret }),
    invite: async (options: Partial<Parameters<typeof insertInvite>[1]> = {}) =>
      (
        await insertInvite(app.db, {
          ...{ name: 'Family', email: null, maxUses: 1, quotaImages: null, quotaBytes: null, expiresAt: null },
          ...options,
        })
      ).secret,
  };
}

t.test('by invitation: only with a link, for as many accounts as it allows, also at once', async (t) => {
  const app = await buildTestApp(t, { registration: 'invite' });
  const { register, invite, read } = callsOf(app);
  t.match((await register()).json(), { statusCode: 403, code: 'INVITE_NEEDED' });
  t.match((await register({ invite: 'nonsense' })).json(), { statusCode: 403, code: 'INVITE_NOT_ACCEPTED' });
  const secret = await invite({ maxUses: 3 });
  t.same((await read(secret)).json(), { email: null, makes_admin: false });
  const taken = await register({ invite: secret, username: 'someone-taken' });
  t.equal(taken.statusCode, 201);
  t.equal((await register({ invite: secret, username: 'someone-taken' })).statusCode, 409, 'a refusal uses nothing up');
  const answers = await Promise.all(Array.from({ length: 6 }, () => register({ invite: secret })));
  t.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 2);
  t.equal((await read(secret)).statusCode, 403);
});

t.test('an invitation may be for one email, end, and set a quota', async (t) => {
  const app = await buildTestApp(t, { registration: 'invite', quotaImages: 100 });
  const { register, invite, logIn } = callsOf(app);
  const secret = await invite({ email: 'Noor@Example.com', quotaImages: 7, quotaBytes: 5_000_000_000 });
  t.match((await register({ invite: secret })).json(), { code: 'INVITE_FOR_OTHER' });
  t.equal((await register({ invite: secret, email: 'noor@example.com' })).statusCode, 201);
  const { access_token: token } = (await logIn('noor@example.com')).json();
  const usage = await app.inject({ url: '/api/images/usage', headers: { authorization: `Bearer ${token}` } });
  t.match(usage.json(), { max_images: 7, max_bytes: 5_000_000_000 });
  const old = await invite({ expiresAt: new Date(Date.now() - 1000) });
  t.match((await register({ invite: old })).json(), { code: 'INVITE_NOT_ACCEPTED' });
});

t.test('an account that waits cannot log in, learns why, and can once it is approved', async (t) => {
  const app = await buildTestApp(t, { registration: 'approval' });
  const { register, logIn, invite } = callsOf(app);
  const answer = (await register()).json();
  t.equal(answer.pending, true);
  const { email, id } = answer.user;
  t.match((await logIn(email)).json(), { statusCode: 403, code: 'ACCOUNT_PENDING' });
  t.ok(await approve(app.db, id));
  t.equal((await logIn(email)).statusCode, 200);
  const invited = (await register({ invite: await invite() })).json();
  t.equal(invited.pending, undefined, 'an invited account needs no approval');
});

t.test('closed: no invitation works', async (t) => {
  const app = await buildTestApp(t, { registration: 'closed' });
  const { register, invite, read } = callsOf(app);
  const secret = await invite();
  t.match((await register({ invite: secret })).json(), { code: 'REGISTRATION_CLOSED' });
  t.match((await read(secret)).json(), { statusCode: 403, code: 'REGISTRATION_CLOSED' });
});
