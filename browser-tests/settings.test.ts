import type { Page } from 'playwright-core';
import t from 'tap';
import { logIn, signIn } from '../server/testing/account.ts';
import { storeFiles } from '../server/testing/form.ts';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { png } from './testing/files.ts';
import { hold } from './testing/hold.ts';
import { openPage, openSignedIn, openStage, type sizes, stored } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

const stage = await openStage(t, { quota: 1_000_000 });
const path = '/dashboard/settings';
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const box = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const bothSizes: (keyof typeof sizes)[] = ['desktop', 'phone'];

const statusOf = async (bearer: { authorization: string }) =>
  (await stage.app.inject({ url: '/api/auth/me', headers: bearer })).statusCode;

t.test('settings stand beside the three links, and on a phone behind the mark', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/video');
  await page.getByRole('navigation').getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  const { page: phone } = await openSignedIn(t, stage, '/dashboard/video', { size: 'phone' });
  await phone.getByRole('heading', { level: 1 }).waitFor();
  t.equal(
    await phone.getByRole('navigation', { name: 'Main' }).getByRole('link').count(),
    3,
    'the bar keeps its three',
  );
  t.notOk(await phone.getByRole('link', { name: 'Settings' }).isVisible());
  await button(phone, 'More').click();
  await findsNothing(t, phone, 'the menu behind the mark');
  await phone.getByRole('link', { name: 'Settings' }).click();
  await phone.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  t.notOk(await phone.getByRole('navigation', { name: 'More' }).isVisible(), 'the menu is closed');
});

for (const size of bothSizes) {
  t.test(`names are changed, and what is refused says why under its field (${size})`, async (t) => {
    const other = await signIn(stage.app);
    const { page, account } = await openSignedIn(t, stage, path, { size });
    const profile = box(page, 'Profile');
    await field(page, 'Username').fill(other.email.split('@')[0] ?? '');
    await button(page, 'Save').click();
    await profile.getByText('This username is taken.').waitFor();
    await findsNothing(t, page, `a refused name, ${size}`);
    const refused = field(page, 'Username');
    t.equal(await refused.getAttribute('aria-invalid'), 'true');
    const note = await refused.getAttribute('aria-describedby');
    t.match(await page.locator(`[id="${note}"]`).textContent(), /taken/, 'and is spoken with it');
    const username = `nadia-${size}-${account.id.slice(-6)}`;
    await refused.fill(username);
    await button(page, 'Save').click();
    await sawToast(t, page, 'Saved');
    t.equal(JSON.parse((await stored(page, 'user')) ?? '{}').username, username);

    const email = `${username}@example.com`;
    await field(page, 'Email').fill(email);
    await profile.getByLabel('Current password', { exact: true }).fill('not my password');
    await button(page, 'Save').click();
    await profile.getByText('The password is wrong.').waitFor();
    t.equal(await field(page, 'Email').inputValue(), email, 'what was typed stays');
    await profile.getByLabel('Current password', { exact: true }).fill(account.password);
    await button(page, 'Save').click();
    await eventually(t, async () => JSON.parse((await stored(page, 'user')) ?? '{}').email, email, 'the new email');
    await t.resolves(logIn(stage.app, { email, password: account.password }));
  });

  t.test(`an account is deleted with its images, once its password was given (${size})`, async (t) => {
    const account = await signIn(stage.app);
    const { name, buffer } = await png('one.png');
    const [image] = await storeFiles(stage.app, account, [{ name, bytes: buffer }]);
    const { page } = await openSignedIn(t, stage, path, { account, size });
    await page.getByText('1 image', { exact: true }).waitFor();
    await button(page, 'Delete account…').click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByText(/Your account and 1 image \(.+\) are deleted for good\./).waitFor();
    await findsNothing(t, page, `the end of an account, ${size}`);
    await dialog.getByLabel('Your password', { exact: true }).fill('not my password');
    await dialog.getByRole('button', { name: 'Delete account', exact: true }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    t.equal(await statusOf(account.bearer), 200);
    await dialog.getByLabel('Your password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Delete account', exact: true }).click();
    await page.waitForURL('**/login');
    await sawToast(t, page, 'Your account is deleted.');
    t.equal(await stored(page, 'access_token'), null);
    t.equal((await stage.app.inject({ url: new URL(image?.url ?? '').pathname })).statusCode, 404);
  });
}

t.test('the end of an account is called off by Cancel and by Esc', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path);
  for (const leave of [() => button(page, 'Cancel').click(), () => page.keyboard.press('Escape')]) {
    await button(page, 'Delete account…').click();
    await page.getByRole('dialog').waitFor();
    await leave();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Delete account…', 'the focus is back');
  }
  t.equal(await statusOf(account.bearer), 200);
});

t.test('a password is changed by keyboard alone, and other sessions end', async (t) => {
  const account = await signIn(stage.app);
  const other = await logIn(stage.app, account);
  const { page } = await openSignedIn(t, stage, path, { account });
  const sessions = box(page, 'Sessions');
  await sessions.getByText('This session').waitFor();
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
  t.equal(await page.evaluate('document.activeElement.name'), 'current', 'the focus is where the fault is');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(account.password);
  await page.keyboard.press('Enter');
  await sawToast(t, page, 'Saved', '1 other session ended.');
  t.equal(await statusOf(other.bearer), 401);
  t.equal(await statusOf(account.bearer), 200);
  await eventually(t, () => sessions.getByRole('listitem').count(), 1, 'the list shows it');
  await t.resolves(logIn(stage.app, { ...account, password: 'a new password' }));
});

t.test('one session is ended, or all others', async (t) => {
  const account = await signIn(stage.app);
  const others = [await logIn(stage.app, account), await logIn(stage.app, account), await logIn(stage.app, account)];
  const { page } = await openSignedIn(t, stage, path, { account });
  const sessions = box(page, 'Sessions');
  await eventually(t, () => sessions.getByRole('listitem').count(), 4, 'all are listed');
  await sessions
    .getByRole('button', { name: /^End the session of/ })
    .first()
    .click();
  await sawToast(t, page, 'Session ended');
  await eventually(t, () => sessions.getByRole('listitem').count(), 3, 'one is gone');
  const alive = async () =>
    (await Promise.all(others.map(({ bearer }) => statusOf(bearer)))).filter((one) => one === 200);
  t.equal((await alive()).length, 2);
  await button(page, 'End all others').click();
  await sawToast(t, page, '2 sessions ended');
  t.equal((await alive()).length, 0);
  t.equal(await statusOf(account.bearer), 200);
});

t.test('sessions that cannot be loaded say so, and are asked for again', async (t) => {
  const { page } = await openSignedIn(t, stage, path, {
    prepare: (context) =>
      context.route('**/api/account/sessions', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 }),
  });
  await page.getByText('Failed to load sessions').waitFor();
  await findsNothing(t, page, 'sessions that failed');
  await button(page, 'Retry').click();
  await page.getByText('This session').waitFor();
});

t.test('the storage used says while it loads, when that failed, and is asked for again', async (t) => {
  const { page } = await openSignedIn(t, stage, path, {
    prepare: (context) =>
      context.route('**/api/images/usage', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 }),
  });
  const storage = box(page, 'Storage');
  await storage.getByText('Failed to load the storage used').waitFor();
  await findsNothing(t, page, 'a storage that failed');
  const { release } = await hold(page, '**/api/images/usage');
  await storage.getByRole('button', { name: 'Retry' }).click();
  await storage.getByText('Loading storage').waitFor();
  t.equal(await page.evaluate('document.activeElement.querySelector("h2")?.textContent'), 'Storage', 'the focus stays');
  await findsNothing(t, page, 'a storage that loads');
  release();
  await storage.getByRole('meter', { name: 'Storage used' }).waitFor();
});

t.test('appearance and language are applied at once, and kept', async (t) => {
  const { page } = await openSignedIn(t, stage, path);
  await field(page, 'Dark').check();
  const worn = () => page.locator('html').getAttribute('data-theme');
  await eventually(t, worn, 'dark', 'the page is dark');
  await field(page, 'System').check();
  await eventually(t, worn, null, 'and as the system is');
  await field(page, 'العربية').click();
  await page.getByRole('heading', { level: 1, name: 'الإعدادات' }).waitFor();
  t.equal(await page.locator('html').getAttribute('dir'), 'rtl');
  await findsNothing(t, page, 'settings in Arabic');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'الإعدادات' }).waitFor();
  await field(page, 'English').click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

t.test('the storage used is a meter with its words', async (t) => {
  const account = await signIn(stage.app);
  const { name, buffer } = await png('one.png');
  await storeFiles(stage.app, account, [{ name, bytes: buffer }]);
  const { page } = await openSignedIn(t, stage, path, { account });
  const meter = page.getByRole('meter', { name: 'Storage used' });
  await meter.waitFor();
  t.match(await meter.getAttribute('aria-valuetext'), /^\d.* of 1 MB · 1 image$/);
  t.equal(await meter.getAttribute('aria-valuenow'), '1');
});

for (const size of bothSizes) {
  t.test(`axe-core finds nothing on the settings (${size})`, async (t) => {
    const { page } = await openSignedIn(t, stage, path, { size });
    await page.getByText('This session').waitFor();
    await findsNothing(t, page, 'settings');
  });
}

t.test('settings need a login', async (t) => {
  const page = await openPage(t, stage);
  await page.goto(path);
  await page.waitForURL('**/login');
});
