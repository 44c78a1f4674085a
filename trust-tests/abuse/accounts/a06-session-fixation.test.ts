import { abuse } from '../../testing/abuse.ts';
import { logIn, newAccount } from '../../testing/account.ts';
import { asJson, call } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A6', 'a login always creates a new session, whatever cookie was planted before', async (t) => {
  const { origin } = await serve(t);
  const [victim, attacker] = [await newAccount(origin), await newAccount(origin)];
  const me = (cookie: string) => call(origin, '/api/auth/me', { headers: { cookie } });

  const login = asJson(victim);
  for (const planted of ['session=chosen-by-the-attacker', attacker.cookie, `${attacker.cookie}; session=other`]) {
    const answer = await call(origin, '/api/auth/login', { ...login, headers: { ...login.headers, cookie: planted } });
    t.equal(answer.status, 200);
    const given = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    t.match(given, /^session=./);
    t.not(given, planted.split(';')[0], 'the cookie is a new one');
    t.match(JSON.parse((await me(given)).body), { user: { id: victim.id } });
    t.not(JSON.parse((await me(planted)).body).user?.id, victim.id, 'the planted session is not the victim’s');
  }
});

abuse('A6', 'each login creates a separate session, and ending one leaves the others valid', async (t) => {
  const { origin } = await serve(t);
  const account = await newAccount(origin);
  const again = await logIn(origin, account);
  t.not(again.token, account.token);
  t.not(again.cookie, account.cookie);
  t.equal((await call(origin, '/api/auth/logout', { method: 'POST', headers: again.bearer })).status, 204);
  t.equal((await call(origin, '/api/auth/me', { headers: again.bearer })).status, 401);
  t.equal((await call(origin, '/api/auth/me', { headers: account.bearer })).status, 200);
});
