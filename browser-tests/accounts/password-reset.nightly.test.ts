import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { openPage, stored } from '../testing/stage.ts';
import { button, field, linkTo, openMailStage, setsNewPassword } from '../testing/tasks/mailed-links.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openMailStage(t);
const { post } = stage;

t.test('a forgotten password is reset by a mailed link (desktop)', (t) =>
  setsNewPassword(t, stage, { size: 'desktop' }, findsNothing),
);

t.test('a password reset ends any session in its browser, even of another account', async (t) => {
  const [account, other] = [await signIn(stage.app), await signIn(stage.app)];
  const count = post.mails.length;
  await stage.app.inject({ method: 'POST', url: '/api/auth/forgot', payload: { email: account.email } });
  await post.received(count + 1);
  const page = await openPage(t, stage, { account: other });
  await page.goto(linkTo(stage, account.email));
  await field(page, 'New password').fill('a new password');
  await button(page, 'Save password').click();
  await page.waitForURL('**/login');
  t.equal(await stored(page, 'access_token'), null);
  const status = async () => (await stage.app.inject({ url: '/api/auth/me', headers: other.bearer })).statusCode;
  await eventually(t, status, 401, 'its token is revoked');
});

t.test('a reset link without its secret shows an error', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/reset');
  await page.getByText('This link is incomplete.').waitFor();
  await findsNothing(t, page, 'an incomplete link');
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reset your password' }).waitFor();
});

t.test('the error of a refused password is gone after the next try', async (t) => {
  const page = await openPage(t, stage);
  await page.goto(`/reset#token=${'x'.repeat(43)}`);
  await page.route(
    '**/api/auth/reset',
    (route) => route.fulfill({ status: 400, json: { code: 'COMMON_PASSWORD', message: 'Choose another one.' } }),
    { times: 1 },
  );
  const password = field(page, 'New password');
  await password.fill('a common password');
  await button(page, 'Save password').click();
  await page.getByText('Choose another one.').waitFor();
  await password.fill('a new password');
  await button(page, 'Save password').click();
  await sawToast(t, page, "Couldn't save the password.", 'This link has been used or is too old. Request a new one.');
  t.equal(await password.getAttribute('aria-invalid'), null);
});
