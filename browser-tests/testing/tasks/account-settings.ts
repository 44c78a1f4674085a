/** Tasks of the settings page: changing username and email, deleting the account. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { logIn, signIn } from '../../../server/testing/account.ts';
import { storeFiles } from '../../../server/testing/form.ts';
import { findsNothingHere } from '../checks/axe.ts';
import { eventually } from '../eventually.ts';
import { png } from '../files.ts';
import type { Judge } from '../screens/visit.ts';
import { openSignedIn, type PageOptions, type Stage, stored } from '../stage.ts';
import { sawToast } from '../toasts.ts';

export const path = '/dashboard/settings';
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
export const box = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

export const statusOf = async ({ app }: Stage, bearer: { authorization: string }): Promise<number> =>
  (await app.inject({ url: '/api/auth/me', headers: bearer })).statusCode;

export async function changesNames(
  t: Test,
  stage: Stage,
  options: PageOptions,
  judge: Judge = findsNothingHere,
): Promise<void> {
  const other = await signIn(stage.app);
  const { page, account } = await openSignedIn(t, stage, path, options);
  const profile = box(page, 'Profile');
  await field(page, 'Username').fill(other.email.split('@')[0] ?? '');
  await button(page, 'Save').click();
  await profile.getByText('This username is taken.').waitFor();
  await judge(t, page, 'a refused name');
  const refused = field(page, 'Username');
  t.equal(await refused.getAttribute('aria-invalid'), 'true');
  const note = await refused.getAttribute('aria-describedby');
  t.match(await page.locator(`[id="${note}"]`).textContent(), /taken/, 'the reason is announced with the field');
  const username = `nadia-${account.id.slice(-6)}`;
  await refused.fill(username);
  await button(page, 'Save').click();
  await sawToast(t, page, 'Saved');
  t.equal(await refused.getAttribute('aria-invalid'), null, 'the error of the last try is gone');
  t.equal(JSON.parse((await stored(page, 'user')) ?? '{}').username, username);

  const email = `${username}@example.com`;
  await field(page, 'Email').fill(email);
  await profile.getByLabel('Current password', { exact: true }).fill('not my password');
  await button(page, 'Save').click();
  await profile.getByText('The password is wrong.').waitFor();
  t.equal(await field(page, 'Email').inputValue(), email, 'the input stays');
  await profile.getByLabel('Current password', { exact: true }).fill(account.password);
  await button(page, 'Save').click();
  await eventually(t, async () => JSON.parse((await stored(page, 'user')) ?? '{}').email, email, 'the new email');
  await t.resolves(logIn(stage.app, { email, password: account.password }));
}

export async function deletesAccount(
  t: Test,
  stage: Stage,
  options: PageOptions,
  judge: Judge = findsNothingHere,
): Promise<void> {
  const account = await signIn(stage.app);
  const { name, buffer } = await png('one.png');
  const [image] = await storeFiles(stage.app, account, [{ name, bytes: buffer }]);
  const { page } = await openSignedIn(t, stage, path, { ...options, account });
  await page.getByText('1 image', { exact: true }).waitFor();
  await button(page, 'Delete account…').click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByText(/Your account and 1 image \(.+\) will be deleted permanently\./).waitFor();
  await judge(t, page, 'the end of an account');
  await dialog.getByLabel('Your password', { exact: true }).fill('not my password');
  await dialog.getByRole('button', { name: 'Delete account', exact: true }).click();
  await dialog.getByText('The password is wrong.').waitFor();
  t.equal(await statusOf(stage, account.bearer), 200);
  await dialog.getByLabel('Your password', { exact: true }).fill(account.password);
  await dialog.getByRole('button', { name: 'Delete account', exact: true }).click();
  await page.waitForURL('**/login');
  await sawToast(t, page, 'Your account was deleted.');
  t.equal(await stored(page, 'access_token'), null);
  t.equal((await stage.app.inject({ url: new URL(image?.url ?? '').pathname })).statusCode, 404);
}
