/** `users reset-second-factor` as a process; the server runs in the test's process. */
import t from 'tap';
import { logIn, signIn } from '../../../testing/account.ts';
import { buildTestApp, testConfig } from '../../../testing/app.ts';
import { startMailServer } from '../../../testing/mail/mail-server.ts';
import { admin } from '../../../testing/processes.ts';
import { addPasskey, addTotp, callsOf, logInWith } from '../../../testing/second-factor.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
const post = await startMailServer(t);
const env = {
  DATA_DIR: config.dataDir,
  DATABASE_URL: config.databaseUrl ?? '',
  SMTP_URL: post.url,
  MAIL_FROM: 'gallery@example.com',
  PUBLIC_URL: 'https://img.example.com',
};

t.test('after a reset the password alone logs in again, and other accounts keep their factors', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  await addTotp(app, account);
  await addPasskey(app, account);
  await addTotp(app, other);
  t.equal((await logInWith(app, account)).statusCode, 401);
  const done = await admin(t, ['users', 'reset-second-factor', account.email], env);
  t.match(done, {
    code: 0,
    stderr: '',
    stdout: /Removed: 1 passkey, 1 authenticator app, 10 recovery codes\. 1 session ended\.\n$/,
  });
  t.match(post.mails, [{ to: [account.email], source: /An administrator removed all passkeys and codes/ }]);
  t.equal((await logInWith(app, other)).statusCode, 401);
  t.equal((await callsOf(app, account)('GET', '/factors')).statusCode, 401, 'its sessions have ended');
  const back = await logIn(app, account);
  t.match((await callsOf(app, back)('GET', '/factors')).json(), { passkeys: [], totp: false, recovery_codes: 0 });
  const log = await app.db.execute(`select actor, details from audit_log where action = 'factor.reset'`);
  t.match(log, [{ actor: 'command line', details: { passkeys: 1, totp: true, recovery_codes: 10 } }]);
});

t.test('an unknown account is reported, and one without a password is mentioned', async (t) => {
  t.match(await admin(t, ['users', 'reset-second-factor', 'nobody'], env), { code: 1, stderr: /^There is no account/ });
  const account = await signIn(app);
  await app.db.execute(`update users set password_hash = null where id = '${account.id}'`);
  const done = await admin(t, ['users', 'reset-second-factor', account.email], env);
  t.match(done, { code: 0, stdout: /0 recovery codes\. 1 session ended\.\nIt has no password either/ });
});
