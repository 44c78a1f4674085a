import { form } from '../../server/testing/form.ts';
import { picture } from '../../server/testing/pictures.ts';
import { abuse } from '../testing/abuse.ts';
import { type Account, newAccount } from '../testing/account.ts';
import { call, refused } from '../testing/call.ts';
import { serve } from '../testing/loopback.ts';
import { measured } from '../testing/measured.ts';

const secret = 'one secret that both servers share, as they must';

abuse('A5', 'a session that has ended is dead on every server, by token and by cookie', async (t) => {
  const one = await serve(t, { jwtSecret: secret });
  const other = await serve(t, { jwtSecret: secret, databaseUrl: one.config.databaseUrl, dataDir: one.dataDir });
  const { headers, payload } = await form([{ name: 'a.png', bytes: await picture() }]);

  let accepted = 0;
  let tried = 0;
  const dead = async (who: Account, about: string) => {
    for (const { origin } of [one, other]) {
      for (const given of [who.bearer, { cookie: who.cookie, origin }]) {
        const answers = [
          await call(origin, '/api/auth/me', { headers: given }),
          await call(origin, '/api/images/', { headers: given }),
          await call(origin, '/api/images/delete/01939e4c-0000-7000-8000-000000000000', {
            method: 'DELETE',
            headers: given,
          }),
          await call(origin, '/api/images/upload', {
            method: 'POST',
            headers: { ...headers, ...given },
            body: payload,
          }),
        ];
        for (const answer of answers) {
          refused(t, answer, 401, about);
          tried += 1;
          if (answer.status < 400) accepted += 1;
        }
      }
    }
  };

  const byToken = await newAccount(one.origin);
  t.equal((await call(other.origin, '/api/auth/me', { headers: byToken.bearer })).status, 200, 'alive on both');
  await call(one.origin, '/api/auth/logout', { method: 'POST', headers: byToken.bearer });
  await dead(byToken, 'after logout by token');

  const byCookie = await newAccount(one.origin);
  await call(other.origin, '/api/auth/logout', {
    method: 'POST',
    headers: { cookie: byCookie.cookie, origin: other.origin },
  });
  await dead(byCookie, 'after logout by cookie');

  const expired = await newAccount(one.origin);
  await one.sql(`update sessions set expires_at = now() - interval '1 second' where user_id = '${expired.id}'`);
  await dead(expired, 'after its time');

  const deleted = await newAccount(one.origin);
  await one.sql(`delete from users where id = '${deleted.id}'`);
  await dead(deleted, 'after the account was deleted');

  t.same(await one.sql('select id from images'), []);
  measured('G16', { part: 'revoked', seen: `${accepted} of ${tried} calls after the end`, held: accepted === 0 });
});
