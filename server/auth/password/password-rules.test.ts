import t from 'tap';
import { logIn, signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { readMail, startMailServer } from '../../testing/mail/mail-server.ts';
import { insertUser } from '../queries.ts';
import { hashPassword } from './passwords.ts';

const publicUrl = 'https://img.example.com';

const post = await startMailServer(t);
const app = await buildTestApp(t, { smtpUrl: post.url, mailFrom: 'gallery@example.com', publicUrl });

/** Each way to set a password; `names` are the account's. */
const register = (password: string, [username, email]: [string, string]) =>
  app.inject({ method: 'POST', url: '/api/auth/register', payload: { username, email, password } });
const change = ({ bearer, password: current_password }: TestAccount, new_password: string) =>
  app.inject({
    method: 'POST',
    url: '/api/account/password',
    headers: bearer,
    payload: { current_password, new_password },
  });
/** @param earlier mails that the account has received */
const tokenFor = async ({ email }: TestAccount, earlier = 0) => {
  await app.inject({ method: 'POST', url: '/api/auth/forgot', payload: { email } });
  const mail = (await post.received(earlier + 1, email)).at(-1);
  return /#token=([\w-]+)/.exec(mail ? readMail(mail).plain : '')?.[1] ?? '';
};
const reset = (token: string, password: string) =>
  app.inject({ method: 'POST', url: '/api/auth/reset', payload: { token, password } });

t.test('one of the most common passwords is refused with a reason, however it is set', async (t) => {
  const account = await signIn(app);
  const token = await tokenFor(account);
  const common = ['password', 'PassWord', '12345678', 'Letmein1', 'qwertyuiop', 'ＰＡＳＳＷＯＲＤ'];
  for (const [index, password] of common.entries()) {
    const ways = {
      registration: await register(password, [`common-${index}`, `common-${index}@example.com`]),
      change: await change(account, password),
      reset: await reset(token, password),
    };
    for (const [way, answer] of Object.entries(ways)) {
      t.equal(answer.statusCode, 400, `${password}: ${way}`);
      t.match(answer.json(), { code: 'COMMON_PASSWORD', message: /Choose/ });
    }
  }
  t.equal((await reset(token, 'a better password')).statusCode, 204, 'a refused password does not consume the link');
  const made = await app.db.execute(`select username from users where username like 'common-%'`);
  t.same(made, []);
});

t.test('the account’s own names are refused as a password, in any case and without dots', async (t) => {
  const names: [string, string] = ['Nadia.Haddad', 'nadia-h.photos@pictures.example.com'];
  const own = [
    'nadia.haddad',
    'NADIA.HADDAD',
    'NadiaHaddad',
    'nadia-h.photos@pictures.example.com',
    'Nadia-H.Photos@Pictures.Example.com',
    'nadia-h.photos',
    'nadiahphotos',
    ' nadia.haddad ',
  ];
  for (const password of own) {
    const answer = await register(password, names);
    t.equal(answer.statusCode, 400, password);
    t.match(answer.json(), { code: 'PASSWORD_IS_NAME', message: /Choose/ });
  }
  const password = 'haddad and nadia';
  t.equal((await register(password, names)).statusCode, 201, 'a password that contains a name is accepted');
  const account = await logIn(app, { email: names[1], password });
  const token = await tokenFor(account, 1);
  for (const refused of own) {
    t.match((await change(account, refused)).json(), { statusCode: 400, code: 'PASSWORD_IS_NAME' });
    t.match((await reset(token, refused)).json(), { statusCode: 400, code: 'PASSWORD_IS_NAME' });
  }
  t.equal((await change(account, 'a better password')).statusCode, 200);
});

t.test('an account with a weak password set earlier still logs in', async (t) => {
  const account = { username: 'longago', email: 'longago@example.com' };
  await insertUser(app.db, { ...account, passwordHash: await hashPassword('password') });
  await t.resolves(logIn(app, { ...account, password: 'password' }));
});
