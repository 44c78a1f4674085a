/** The setup token in the browser: from the login page to the first administrator. */
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const setupToken = 'an-operator-chose-this';
const stage = await openStage(t, { registration: 'closed', setupToken, abuseContact: 'mailto:abuse@example.com' });

t.test('the login page leads to the setup, where an account logs in and becomes the administrator, once', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage, { size: 'phone' });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Set it up' }).click();
  await page.getByText('users promote NAME').waitFor();
  await page.getByLabel('Setup token').fill('a-guess-of-someone');
  await page.keyboard.press('Enter');
  await page.getByText("This isn't the setup token of this server.").waitFor();
  await findsNothingHere(t, page, 'a wrong setup token');
  await page.getByLabel('Setup token').fill(` ${setupToken} `);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Create an account' }).waitFor();
  t.notMatch(page.url(), setupToken);

  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.keyboard.press('Enter');
  const become = page.getByRole('button', { name: 'Become the administrator' });
  await become.waitFor();
  const late = await openPage(t, stage, { account: await signIn(stage.app) });
  await late.goto(`/setup#token=${setupToken}`);
  const becomeLate = late.getByRole('button', { name: 'Become the administrator' });
  await becomeLate.waitFor();

  await become.click();
  await sawToast(t, page, 'You are the administrator now');
  await page.waitForURL('**/dashboard/admin');
  t.match(await stage.app.db.execute("select id from users where role = 'admin'"), [{ id: account.id }]);

  await becomeLate.click();
  await late.getByText('This server already has an administrator.').waitFor();
  const stranger = await openPage(t, stage);
  await stranger.goto('/setup');
  await stranger.getByText('This server already has an administrator.').waitFor();
  t.equal(await stranger.getByRole('textbox').count(), 0);
  await stranger.getByRole('link', { name: 'Log in' }).click();
  // Shown beside the line that leads to the setup.
  await stranger.getByRole('link', { name: 'Report abuse' }).waitFor();
  t.equal(await stranger.getByRole('link', { name: 'Set it up' }).count(), 0);
});
