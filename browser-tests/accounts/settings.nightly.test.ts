import type { Request } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { png } from '../testing/files.ts';
import { hold } from '../testing/hold.ts';
import { openPage, openSignedIn, openStage, stored } from '../testing/stage.ts';
import { box, button, changesNames, deletesAccount, field, path, statusOf } from '../testing/tasks/account-settings.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { quota: 1_000_000 });

t.test('Settings is in the sidebar, and on a phone in the menu', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/video');
  await page.getByRole('navigation').getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  const { page: phone } = await openSignedIn(t, stage, '/dashboard/video', { size: 'phone' });
  await phone.getByRole('heading', { level: 1 }).waitFor();
  t.equal(
    await phone.getByRole('navigation', { name: 'Main' }).getByRole('link').count(),
    3,
    'the bar still has three links',
  );
  t.notOk(await phone.getByRole('link', { name: 'Settings' }).isVisible());
  await button(phone, 'More').click();
  await findsNothing(t, phone, 'the menu of the tab More');
  await phone.getByRole('link', { name: 'Settings' }).click();
  await phone.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  t.notOk(await phone.getByRole('navigation', { name: 'More' }).isVisible(), 'the menu is closed');
});

t.test('username and email are changed, and a refusal is shown under its field (phone)', (t) =>
  changesNames(t, stage, { size: 'phone' }, findsNothing),
);

t.test('an account is deleted with its images after the password is entered (desktop)', (t) =>
  deletesAccount(t, stage, { size: 'desktop' }, findsNothing),
);

t.test('the account deletion is cancelled by Cancel and by Esc', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path);
  for (const leave of [() => button(page, 'Cancel').click(), () => page.keyboard.press('Escape')]) {
    await button(page, 'Delete account…').click();
    await page.getByRole('dialog').waitFor();
    await leave();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Delete account…', 'the focus returns');
  }
  t.equal(await statusOf(stage, account.bearer), 200);
});

t.test('after a password change the page and its other tabs stay logged in', async (t) => {
  const account = await signIn(stage.app);
  const { page } = await openSignedIn(t, stage, path, { account });
  await box(page, 'Sessions').getByText('This device').waitFor();
  const tab = await page.context().newPage();
  await tab.goto('/dashboard/settings');
  await box(tab, 'Sessions').getByText('This device').waitFor();

  await field(page, 'Current password').fill(account.password);
  await field(page, 'New password').fill('a new password');
  await button(page, 'Change password').click();
  await sawToast(t, page, 'Saved');

  const token = await stored(page, 'access_token');
  t.not(token, account.token);
  t.equal(await statusOf(stage, { authorization: `Bearer ${token}` }), 200);
  for (const one of [page, tab]) {
    await one.getByRole('link', { name: 'View Images', exact: true }).click();
    await one.getByText('No images found.').waitFor();
    t.match(one.url(), /dashboard\/images/, 'the session is kept');
  }
});

t.test('sessions that fail to load show an error and a retry', async (t) => {
  const { page } = await openSignedIn(t, stage, path, {
    prepare: (context) =>
      context.route('**/api/account/sessions', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 }),
  });
  await page.getByText("Couldn't load your sessions.").waitFor();
  await findsNothing(t, page, 'sessions that failed');
  await button(page, 'Retry').click();
  await page.getByText('This device').waitFor();
});

t.test('a storage usage that failed to load has a retry, which keeps the focus while it loads', async (t) => {
  const { page } = await openSignedIn(t, stage, path, {
    prepare: (context) =>
      context.route('**/api/images/usage', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 }),
  });
  const storage = box(page, 'Storage');
  await storage.getByText("Couldn't load your storage.").waitFor();
  await findsNothing(t, page, 'a storage that failed');
  const { release } = await hold(page, '**/api/images/usage');
  await storage.getByRole('button', { name: 'Retry' }).click();
  await storage.locator('button[aria-disabled="true"]').waitFor();
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Retry', 'the button keeps the focus');
  await findsNothing(t, page, 'a storage that loads');
  release();
  await storage.getByRole('meter', { name: 'Storage used' }).waitFor();
  const focused = () => page.evaluate('document.activeElement.querySelector("h2")?.textContent');
  await eventually(t, focused, 'Storage', 'then its box has it');
});

t.test('the storage usage is a meter with a text', async (t) => {
  const account = await signIn(stage.app);
  const { name, buffer } = await png('one.png');
  await storeFiles(stage.app, account, [{ name, bytes: buffer }]);
  const { page } = await openSignedIn(t, stage, path, { account });
  const meter = page.getByRole('meter', { name: 'Storage used' });
  await meter.waitFor();
  t.match(await meter.getAttribute('aria-valuetext'), /^\d.* of 1 MB · 1 image$/);
  t.equal(await meter.getAttribute('aria-valuenow'), '1');
});

t.test('a slow read of the profile does not overwrite a name that was saved meanwhile', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage, { account });
  // The answer is the name before the change.
  const before = await stage.app.inject({ url: '/api/auth/me', headers: account.bearer });
  const { reached, release } = await hold(page, '**/api/auth/me', {
    go: (route) => route.fulfill({ json: before.json() }),
  });
  const ended = new Promise<void>((resolve) => {
    const end = (request: Request): void => {
      if (request.url().endsWith('/api/auth/me')) resolve();
    };
    page.on('requestfinished', end);
    page.on('requestfailed', end);
  });
  await page.goto(path);
  await reached;
  const username = `nadia-${account.id.slice(-6)}`;
  await field(page, 'Username').fill(username);
  await button(page, 'Save').click();
  await sawToast(t, page, 'Saved');
  release();
  await ended;
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve)))');
  t.equal(await field(page, 'Username').inputValue(), username);
  t.equal(JSON.parse((await stored(page, 'user')) ?? '{}').username, username);
});
