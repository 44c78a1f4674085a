/** Passkeys with Chromium's virtual authenticator: registration, login, second factor, removal, the last one. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { signIn, type TestAccount } from '../../server/testing/account.ts';
import { addAuthenticator, byName } from '../testing/authenticator.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { logIn } from '../testing/log-in.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { box, button, field, path } from '../testing/tasks/account-settings.ts';
import { sawToast } from '../testing/toasts.ts';

const numbered = await openStage(t);
const stage = byName(numbered);
const notConfirmed = "Your device didn't confirm, or the request was cancelled. Try again.";
const title = 'Passkeys and codes';

async function prove(page: Page, { password }: TestAccount, yes = 'Continue'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Your password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: yes }).click();
}

/** Adds a passkey in the settings, and keeps its recovery codes. */
async function add(page: Page, account: TestAccount): Promise<string[]> {
  await box(page, title).getByRole('button', { name: 'Add a passkey' }).click();
  await prove(page, account);
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await codes.getByRole('listitem').first().waitFor();
  const texts = await codes.getByRole('listitem').allTextContents();
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  return texts;
}

const logOut = (page: Page) => page.evaluate("localStorage.clear(); location.assign('/login')");
const arrived = (page: Page) => page.waitForURL('**/dashboard/upload');

t.test('a passkey is added, logs in alone, and is the second factor after a password', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path);
  const device = await addAuthenticator(page);
  const codes = await add(page, account);
  t.equal(codes.length, 10);
  t.match(await device.passkeys(), [{ isResidentCredential: true, rpId: 'localhost' }]);
  await box(page, title).getByText('10 codes are left.').waitFor();
  await findsNothingHere(t, page, 'settings with a passkey');

  await logOut(page);
  await button(page, 'Log in with a passkey').click();
  await arrived(page);
  await page.goto(path);
  await box(page, 'Sessions').getByText('with a passkey', { exact: true }).waitFor();

  await logOut(page);
  await logIn(page, account);
  await page.getByRole('heading', { level: 1, name: 'Second step' }).waitFor();
  await findsNothingHere(t, page, 'the second step');
  await button(page, 'Use a passkey').click();
  await arrived(page);

  await logOut(page);
  await device.clear();
  await logIn(page, account);
  await button(page, 'Use a recovery code').click();
  await field(page, 'Recovery code').fill(codes[0] ?? '');
  await button(page, 'Login').click();
  await arrived(page);
  await page.goto(path);
  await box(page, title).getByText('9 codes are left.').waitFor();
  await box(page, 'Sessions').getByText('with a password and a recovery code').waitFor();
  await box(page, 'Sessions').getByText('with a password and a passkey').waitFor();
});

t.test('a device that does not recognize its user logs nobody in, and the page shows an error', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path);
  const device = await addAuthenticator(page);
  await add(page, account);
  await logOut(page);
  await device.verify(false);
  await button(page, 'Log in with a passkey').click();
  await sawToast(t, page, "Couldn't log in.", notConfirmed);
  await device.verify(true);
  await button(page, 'Log in with a passkey').click();
  await arrived(page);
});

t.test('a passkey is renamed and removed; the last one ends the codes', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path);
  await addAuthenticator(page);
  await add(page, account);
  const own = box(page, title);
  await own.getByRole('button', { name: 'Add a passkey' }).click();
  await prove(page, account);
  await sawToast(t, page, "Couldn't change this.", 'This device has a passkey for this account already.');
  await page.keyboard.press('Escape');
  await own.getByRole('button', { name: /^Rename / }).click();
  await field(page, 'Name').fill('My laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await own.getByText('My laptop').waitFor();
  await own.getByRole('button', { name: 'Remove My laptop' }).click();
  await prove(page, { ...account, password: 'not my password' }, 'Remove My laptop');
  await page.getByText('The password is wrong.').waitFor();
  await prove(page, account, 'Remove My laptop');
  await sawToast(t, page, 'Passkey removed');
  await own.getByText('No passkeys yet.').waitFor();
  await own.getByText('You get ten codes with your first passkey or app.').waitFor();
  await logOut(page);
  await logIn(page, account);
  await arrived(page);
});

t.test('the only way in is not removed: an account without a password keeps its last passkey', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path);
  await addAuthenticator(page);
  await add(page, account);
  await stage.app.db.execute(`update users set password_hash = null where id = '${account.id}'`);
  await page.reload();
  await box(page, title).getByText('Your account has no password').waitFor();
  t.equal(await page.getByRole('heading', { name: 'Recovery codes' }).count(), 0, 'codes would be of no use');
  await box(page, 'Password').getByText('To set one, ask the administrator of this server').waitFor();
  t.equal(await field(page, 'Current password').count(), 0);
  await box(page, title)
    .getByRole('button', { name: /^Remove / })
    .click();
  await button(page, 'Use a passkey').click();
  await sawToast(
    t,
    page,
    "Couldn't change this.",
    'This passkey is the only way to log in to this account. Add another one before you remove it.',
  );
});

t.test('at an IP address there is no button, and the settings say why', async (t) => {
  const account = await signIn(numbered.app);
  const { page } = await openSignedIn(t, numbered, path, { account });
  await box(page, title).getByText("Passkeys don't work here: this server is reached by an IP address").waitFor();
  t.equal(await button(page, 'Add a passkey').count(), 0);
  const visitor = await openPage(t, numbered);
  await visitor.goto('/login');
  await button(visitor, 'Login').waitFor();
  t.equal(await button(visitor, 'Log in with a passkey').count(), 0);
});

t.test('at another address than PUBLIC_URL the settings name the right one', async (t) => {
  const named = await openStage(t, { publicUrl: 'http://localhost:9' });
  const { page } = await openSignedIn(t, named, path, { account: await signIn(named.app) });
  await box(page, title).getByText("Passkeys don't work at this address.").waitFor();
  await box(page, title).getByText('http://localhost:9').waitFor();
  t.equal(await button(page, 'Add a passkey').count(), 0);
});
