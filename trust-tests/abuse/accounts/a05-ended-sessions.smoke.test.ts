import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { form } from '../../../server/testing/form.ts';
import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { type Account, logIn, newAccount } from '../../testing/account.ts';
import { asJson, call, refused } from '../../testing/call.ts';
import { type Loopback, serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';

const secret = 'one secret that both servers share, as they must';

/** Runs the administrator's program beside a server. */
async function runAdmin({ config, dataDir }: Loopback, words: string[], input: string): Promise<void> {
  const program = join(import.meta.dirname, '..', '..', '..', 'program', 'admin.js');
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: config.databaseUrl };
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(input);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`admin ${words.join(' ')}: ${code}`);
}

abuse('A5', 'an ended session is rejected on every server, by token and by cookie', async (t) => {
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
  t.equal(
    (await call(other.origin, '/api/auth/me', { headers: byToken.bearer })).status,
    200,
    'the session is valid on both',
  );
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

  const admin = (...words: string[]) => runAdmin(one, words, 'another long password');
  const deleted = await newAccount(one.origin);
  await admin('users', 'delete', deleted.email, '--yes');
  await dead(deleted, 'after the account was deleted');
  refused(t, await call(one.origin, '/api/auth/login', asJson(deleted)), 401, 'a login to it');

  const revoked = await newAccount(one.origin);
  await admin('sessions', 'revoke', '--user', revoked.email);
  await dead(revoked, 'after an administrator ended it');
  t.ok((await logIn(one.origin, revoked)).token, 'a new login works');

  const changed = await newAccount(one.origin);
  await admin('users', 'set-password', changed.email, '--password-stdin');
  await dead(changed, 'after the password was changed');
  refused(t, await call(one.origin, '/api/auth/login', asJson(changed)), 401, 'the old password');
  t.ok((await logIn(one.origin, { ...changed, password: 'another long password' })).token);

  const disabled = await newAccount(one.origin);
  await admin('users', 'disable', disabled.email);
  await dead(disabled, 'after the account was disabled');
  refused(t, await call(other.origin, '/api/auth/login', asJson(disabled)), 403, 'a login to it');
  const wrong = asJson({ ...disabled, password: 'a wrong password' });
  refused(t, await call(other.origin, '/api/auth/login', wrong), 401, 'a wrong password does not reveal it');

  t.same(await one.sql('select id from images'), []);
  measured('G16', { part: 'revoked', seen: `${accepted} of ${tried} calls after the end`, held: accepted === 0 });
});
