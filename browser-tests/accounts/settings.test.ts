import t from 'tap';
import { logIn, signIn } from '../../server/testing/account.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { box, button, changesNames, deletesAccount, field, path, statusOf } from '../testing/tasks/account-settings.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { quota: 1_000_000 });

t.test('username and email are changed, and a refusal is shown under its field (desktop)', (t) =>
  changesNames(t, stage, { size: 'desktop' }),
);

t.test('an account is deleted with its images after the password is entered (phone)', (t) =>
  deletesAccount(t, stage, { size: 'phone' }),
);

t.test('a password is changed by keyboard, and other sessions end', async (t) => {
  const account = await signIn(stage.app);
  const other = await logIn(stage.app, account);
  const { page } = await openSignedIn(t, stage, path, { account });
  const sessions = box(page, 'Sessions');
  await sessions.getByText('This device').waitFor();
  await eventually(t, () => sessions.getByRole('listitem').count(), 2, 'two sessions');
  await field(page, 'Email').focus();
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(
        `document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent`,
      );
      if (at === name) return;
    }
    t.fail(`${name} is not reached by Tab`);
  };
  await tabTo('Current password');
  await page.keyboard.type('not my password');
  await tabTo('New password');
  await page.keyboard.type('a new password');
  await page.keyboard.press('Enter');
  await box(page, 'Password').getByText('The password is wrong.').waitFor();
  t.equal(await page.evaluate('document.activeElement.name'), 'current', 'the refused field has the focus');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(account.password);
  await page.keyboard.press('Enter');
  await sawToast(t, page, 'Saved', 'Logged out 1 other device.');
  for (const { bearer } of [account, other]) t.equal(await statusOf(stage, bearer), 401, 'earlier tokens are revoked');
  await eventually(t, () => sessions.getByRole('listitem').count(), 1, 'the list is updated');
  await t.resolves(logIn(stage.app, { ...account, password: 'a new password' }));
});

t.test('one session or all others are ended', async (t) => {
  const account = await signIn(stage.app);
  const others = [await logIn(stage.app, account), await logIn(stage.app, account), await logIn(stage.app, account)];
  const { page } = await openSignedIn(t, stage, path, { account });
  const sessions = box(page, 'Sessions');
  await eventually(t, () => sessions.getByRole('listitem').count(), 4, 'all are listed');
  t.equal(await sessions.getByText('with a password', { exact: true }).count(), 4);
  await sessions
    .getByRole('button', { name: /^Log out (?!other)/ })
    .first()
    .click();
  await sawToast(t, page, 'Logged out 1 device');
  await eventually(t, () => sessions.getByRole('listitem').count(), 3, 'one is removed');
  const alive = async () =>
    (await Promise.all(others.map(({ bearer }) => statusOf(stage, bearer)))).filter((one) => one === 200);
  t.equal((await alive()).length, 2);
  await button(page, 'Log out other devices').click();
  await sawToast(t, page, 'Logged out 2 devices');
  t.equal((await alive()).length, 0);
  t.equal(await statusOf(stage, account.bearer), 200);
});

t.test('theme and language apply at once and persist', async (t) => {
  const { page } = await openSignedIn(t, stage, path);
  await field(page, 'Dark').check();
  const worn = () => page.locator('html').getAttribute('data-theme');
  await eventually(t, worn, 'dark', 'the page is dark');
  await field(page, 'System').check();
  await eventually(t, worn, null, 'the page follows the system');
  await field(page, 'العربية').click();
  await page.getByRole('heading', { level: 1, name: 'الإعدادات' }).waitFor();
  t.equal(await page.locator('html').getAttribute('dir'), 'rtl');
  await findsNothingHere(t, page, 'settings in Arabic');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'الإعدادات' }).waitFor();
  await field(page, 'English').click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});
