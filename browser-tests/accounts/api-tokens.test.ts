import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import type { ApiToken, UploadAnswer } from '../../server/contract.ts';
import { signIn, type TestAccount } from '../../server/testing/account.ts';
import { createApiToken } from '../../server/testing/api-token.ts';
import { form } from '../../server/testing/form.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { png } from '../testing/files.ts';
import { hasFocus, press, tabTo } from '../testing/keyboard.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { box, button, field, path } from '../testing/tasks/account-settings.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const { app, origin } = stage;

const tokensBox = (page: Page): Locator => box(page, 'API tokens');
const rows = (page: Page): Locator => tokensBox(page).getByRole('listitem');
const secretOf = (page: Page): Promise<string> => tokensBox(page).getByLabel('Token', { exact: true }).inputValue();

async function tokensOf({ bearer }: TestAccount): Promise<ApiToken[]> {
  return (await app.inject({ url: '/api/account/tokens', headers: bearer })).json().tokens;
}

/** Uploads a picture with the secret, as a program does. */
async function upload(secret: string): Promise<Response> {
  const { name, buffer } = await png('from-a-program.png');
  const { headers, payload } = await form([{ name, bytes: buffer }]);
  return fetch(`${origin}/api/images/upload`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${secret}` },
    body: new Uint8Array(payload),
  });
}

t.test('a token for ShareX is created, downloaded, used and ended (desktop)', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path, { permissions: ['clipboard-read', 'clipboard-write'] });
  await tokensBox(page).getByText('No API tokens yet.').waitFor();
  t.equal(await field(page, 'Keep my API tokens').count(), 0, 'the password form asks nothing about tokens');
  await button(page, 'New token').click();
  t.ok(await field(page, 'Upload images only').isChecked());
  t.equal(await field(page, 'Expires').inputValue(), 'never');
  await field(page, 'Name').fill('ShareX at home');
  await field(page, 'Program').selectOption('sharex');
  await field(page, 'Images expire').selectOption('7d');
  await findsNothingHere(t, page, 'the form of a new token');
  await button(page, 'Create token').click();
  await page
    .getByText('A token that never expires, or that can do more than upload, needs your confirmation.')
    .waitFor();
  await findsNothingHere(t, page, 'the question for a proof');
  await field(page, 'Your password').fill(account.password);
  await button(page, 'Continue').click();
  await hasFocus(t, page, 'The token “ShareX at home” was created');
  await findsNothingHere(t, page, 'a new token');
  await rows(page).getByText('ShareX at home', { exact: true }).waitFor();
  await rows(page).getByText('Its images expire after 7 days').waitFor();

  const secret = await secretOf(page);
  await button(page, 'Copy').click();
  await button(page, 'Copied!').waitFor();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
  const downloading = page.waitForEvent('download');
  await button(page, 'Download gallery.sxcu').click();
  const download = await downloading;
  t.equal(download.suggestedFilename(), 'gallery.sxcu');
  const sxcu = JSON.parse(await readFile(await download.path(), 'utf8'));
  t.match(sxcu, {
    RequestURL: `${origin}/api/images/upload?delete_link=1`,
    Headers: { Authorization: `Bearer ${secret}` },
  });
  await button(page, 'Done').click();
  await hasFocus(t, page, 'New token');
  t.equal(await page.getByText(secret).count(), 0, 'the secret is gone');

  const answer = await upload(secret);
  t.equal(((await answer.json()) as UploadAnswer).images.length, 1);
  await eventually(t, async () => (await tokensOf(account))[0]?.used_at !== null, true, 'the use is noted');
  await page.reload();
  await rows(page).getByText('Last used:').waitFor();
  await button(page, 'End ShareX at home').click();
  await findsNothingHere(t, page, 'the question before a token ends');
  await button(page, 'Cancel').click();
  t.equal(await rows(page).count(), 1);
  await button(page, 'End ShareX at home').click();
  await button(page, 'End token').click();
  await sawToast(t, page, 'Token ended');
  await tokensBox(page).getByText('No API tokens yet.').waitFor();
  t.ok(await page.evaluate("document.activeElement.matches('section')"), 'the focus is kept');
  t.equal((await upload(secret)).status, 401);
});

t.test('a token is created and ended by keyboard, with scopes, an album and an end', async (t) => {
  const account = await signIn(app);
  await app.inject({ method: 'POST', url: '/api/albums', headers: account.bearer, payload: { name: 'Holidays' } });
  const { page } = await openSignedIn(t, stage, path, { account });
  await tokensBox(page).getByText('No API tokens yet.').waitFor();
  await field(page, 'Email').focus();
  await press(t, page, 'New token');
  await hasFocus(t, page, 'Name');
  await page.keyboard.press('Enter');
  t.equal(await page.evaluate('document.activeElement.validity.valueMissing'), true, 'a name is required');
  await page.keyboard.type('Backup');
  await tabTo(t, page, 'Upload images only');
  await page.keyboard.press('ArrowDown');
  t.equal(await field(page, 'Expires').inputValue(), 'never');
  await tabTo(t, page, 'Upload images');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await tokensBox(page).getByRole('alert').getByText('Choose at least one.').waitFor();
  await hasFocus(t, page, 'Upload images');
  await tabTo(t, page, 'List and search images');
  await page.keyboard.press('Space');
  t.equal(await tokensBox(page).getByRole('alert').count(), 0);
  t.equal(await field(page, 'Expires').inputValue(), '90d');
  t.same(await field(page, 'Program').locator('option').allInnerTexts(), ['None', 'Command line']);
  await field(page, 'Program').selectOption('cli');
  await tabTo(t, page, 'Album');
  await page.keyboard.type('Hol');
  await tabTo(t, page, 'Expires');
  await page.keyboard.type('After 7');
  await press(t, page, 'Create token');
  await hasFocus(t, page, 'Your password');
  await page.keyboard.type(account.password);
  await page.keyboard.press('Enter');
  await hasFocus(t, page, 'The token “Backup” was created');
  const [token] = await tokensOf(account);
  t.match(token, { name: 'Backup', scopes: ['images:read'], album: String });
  const days = (Date.parse(token?.expires_at ?? '') - Date.now()) / 86_400_000;
  t.ok(days > 6.9 && days <= 7, `${days} days`);
  await rows(page).getByText('Only in the album Holidays').waitFor();
  const link = tokensBox(page).getByRole('link', { name: 'Download gallery.mjs' });
  const program = await fetch(new URL((await link.getAttribute('href')) ?? '', origin));
  const sha256 = createHash('sha256').update(Buffer.from(await program.arrayBuffer()));
  await tokensBox(page).getByText(sha256.digest('hex')).waitFor();
  await press(t, page, 'Done');
  await press(t, page, 'End Backup', 'Shift+Tab');
  await hasFocus(t, page, 'Cancel');
  await page.keyboard.press('Escape');
  await hasFocus(t, page, 'End Backup');
  await page.keyboard.press('Enter');
  await press(t, page, 'End token');
  await sawToast(t, page, 'Token ended');
  t.same(await tokensOf(account), []);
});

t.test('a new password ends the tokens unless they are kept, and lists what is left', async (t) => {
  const account = await signIn(app);
  await createApiToken(app, account, ['images:upload'], { name: 'One' });
  await createApiToken(app, account, ['images:read'], { name: 'Two' });
  const { page } = await openSignedIn(t, stage, path, { account });
  await eventually(t, () => rows(page).count(), 2, 'both tokens are listed');
  const change = async (from: string, to: string) => {
    await field(page, 'Current password').fill(from);
    await field(page, 'New password').fill(to);
    await button(page, 'Change password').click();
  };
  await field(page, 'Keep my API tokens').check();
  await change(account.password, 'a new password');
  await sawToast(t, page, 'Saved');
  await page.getByText('API tokens: One, Two').waitFor();
  t.equal(await rows(page).count(), 2);
  await field(page, 'Keep my API tokens').uncheck();
  await change('a new password', 'another password');
  await sawToast(t, page, 'Saved', 'Ended 2 API tokens.');
  await tokensBox(page).getByText('No API tokens yet.').waitFor();
  await page.getByText('No other way into your account is left.').waitFor();
  t.equal(await field(page, 'Keep my API tokens').count(), 0);
});
