/** What the page shows of an email that nobody has confirmed, and of the ways in after a new password. */
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { createApiToken } from '../../server/testing/api-token.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { logIn } from '../testing/log-in.ts';
import { openPage, openSignedIn } from '../testing/stage.ts';
import { button, field, linkTo, openMailStage } from '../testing/tasks/mailed-links.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openMailStage(t);
const { app, post } = stage;

t.test('the page reminds the owner until the email is confirmed, which ends the session', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/images');
  const reminder = page.getByRole('region', { name: 'Your email' });
  await reminder.getByText(account.email).waitFor();
  await findsNothingHere(t, page, 'the reminder');
  await button(page, 'Mail the link again').click();
  await sawToast(t, page, `Link mailed to ${account.email}`);
  await post.received(1, account.email);
  await page.goto(linkTo(stage, account.email));
  await page.getByText('The first confirmation ends everything that was set up before').waitFor();
  await findsNothingHere(t, page, 'the question');
  await button(page, 'Confirm email').click();
  await page.waitForURL('**/login');
  await logIn(page, account);
  await page.waitForURL('**/dashboard/**');
  await page.getByRole('heading', { level: 1 }).waitFor();
  t.equal(
    (await app.db.execute(`select 1 from users where id = '${account.id}' and email_confirmed_at is null`)).length,
    0,
  );
  t.equal(await reminder.count(), 0);
});

t.test('a reset keeps API tokens if its owner ticks the box, and lists what is left', async (t) => {
  const account = await signIn(app);
  await app.db.execute(`update users set email_confirmed_at = now() where id = '${account.id}'`);
  await createApiToken(app, account, ['images:upload'], { name: 'ShareX' });
  const count = post.mails.length;
  await app.inject({ method: 'POST', url: '/api/auth/forgot', payload: { email: account.email } });
  await post.received(count + 1);
  const page = await openPage(t, stage);
  await page.goto(linkTo(stage, account.email));
  await field(page, 'New password').fill('a new password');
  await field(page, 'Keep my API tokens').check();
  await findsNothingHere(t, page, 'the reset of an account with tokens');
  await button(page, 'Save password').click();
  await page.getByText('API tokens: ShareX').waitFor();
  await findsNothingHere(t, page, 'the ways in that are left');
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.waitForURL('**/login');
});

t.test('password managers save the email of a new account, by which it logs in', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/register');
  await field(page, 'Email').waitFor();
  const kinds = ['Username', 'Email', 'Password'].map((name) => field(page, name).getAttribute('autocomplete'));
  t.same(await Promise.all(kinds), ['nickname', 'username', 'new-password']);
});
