/** Authenticator apps: set up, log in, required by the server. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { codeOf, forgetSteps } from '../../server/testing/second-factor.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { wordsFor } from '../testing/checks/words.ts';
import { logIn } from '../testing/log-in.ts';
import { openSignedIn, openStage, type PageOptions, type Stage } from '../testing/stage.ts';
import { box, button, field, path } from '../testing/tasks/account-settings.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const strict = await openStage(t, { requireSecondFactor: 'all' });

/** @returns the secret that the page shows */
async function setUp(page: Page, password: string, word: (english: string) => string): Promise<string> {
  await button(page, word('Set up an app')).click();
  await field(page, word('Your password')).fill(password);
  await button(page, word('Continue')).click();
  await page.getByRole('img', { name: word('QR code for the authenticator app') }).waitFor();
  return (await page.locator('dialog code').textContent())?.replaceAll(' ', '') ?? '';
}

async function setsUp(t: Parameters<typeof openSignedIn>[0], on: Stage, options: PageOptions): Promise<void> {
  const word = wordsFor(options);
  const { page, account } = await openSignedIn(t, on, path, options);
  const secret = await setUp(page, account.password, word);
  await findsNothingHere(t, page, 'the QR code');
  const code = field(page, word('Code that the app shows'));
  t.equal(await code.getAttribute('autocomplete'), 'one-time-code');
  await code.fill('000000');
  await button(page, word('Confirm')).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await code.fill(codeOf(secret));
  await button(page, word('Confirm')).click();
  const codes = page.getByRole('dialog', { name: word('Recovery codes') });
  await codes.getByRole('listitem').first().waitFor();
  t.equal(await codes.getByRole('listitem').count(), 10);
  await findsNothingHere(t, page, 'the recovery codes');
  const saving = page.waitForEvent('download');
  await codes.getByRole('button', { name: word('Download') }).click();
  t.equal((await saving).suggestedFilename(), 'recovery-codes.txt');
  await codes.getByRole('button', { name: word('I have saved them') }).click();
  await box(page, word('Passkeys and codes')).getByText(word('Set up.')).waitFor();

  await page.evaluate("localStorage.clear(); location.assign('/login')");
  await field(page, word('Email')).waitFor();
  await forgetSteps(on.app);
  await page.getByLabel(word('Email'), { exact: true }).fill(account.email);
  await page.getByLabel(word('Password'), { exact: true }).fill(account.password);
  await button(page, word('Login')).click();
  const asked = field(page, word('Code from your authenticator app'));
  await asked.fill('000000');
  await asked.press('Enter');
  await sawToast(t, page, word("Couldn't log in."));
  await findsNothingHere(t, page, 'a wrong code');
  await asked.fill(codeOf(secret));
  await asked.press('Enter');
  await page.waitForURL('**/dashboard/upload');
}

t.test('an authenticator app is set up and logs in (phone)', (t) => setsUp(t, stage, { size: 'phone' }));

t.test('an authenticator app is set up and logs in (Arabic)', (t) => setsUp(t, stage, { locale: 'ar-EG' }));

t.test('new recovery codes replace the old, and the app is removed', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path);
  const secret = await setUp(page, account.password, (english) => english);
  await field(page, 'Code that the app shows').fill(codeOf(secret));
  await button(page, 'Confirm').click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await codes.getByRole('listitem').first().waitFor();
  const before = await codes.getByRole('listitem').allTextContents();
  const question = page.getByText('Close without saving the codes?');
  for (const attempt of [1, 2, 3]) {
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    t.same(await codes.getByRole('listitem').allTextContents(), before, `Esc asks before it closes (${attempt})`);
  }
  await button(page, 'I have saved them').click();
  await button(page, 'New codes').click();
  await field(page, 'Your password').fill(account.password);
  await button(page, 'Continue').click();
  await codes
    .getByRole('listitem')
    .filter({ hasNotText: before[0] ?? '' })
    .first()
    .waitFor();
  const after = await codes.getByRole('listitem').allTextContents();
  t.equal(new Set([...before, ...after]).size, 20);
  await button(page, 'I have saved them').click();
  await button(page, 'Remove app').click();
  await field(page, 'Your password').fill(account.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove app' }).click();
  await sawToast(t, page, 'Authenticator app removed');
  await button(page, 'Set up an app').waitFor();
});

t.test('where the server requires a second factor, the page leads to setting one up, and then on', async (t) => {
  const { page, account } = await openSignedIn(t, strict, '/dashboard/images');
  await page.waitForURL('**/dashboard/settings?second-factor');
  await page.getByText('This server requires a second factor.').waitFor();
  await findsNothingHere(t, page, 'a required second factor');
  const secret = await setUp(page, account.password, (english) => english);
  await field(page, 'Code that the app shows').fill(codeOf(secret));
  await button(page, 'Confirm').click();
  await button(page, 'I have saved them').click();
  await button(page, 'Continue').click();
  await page.waitForURL('**/dashboard/upload');
  await page.evaluate("localStorage.clear(); location.assign('/login')");
  await forgetSteps(strict.app);
  await logIn(page, account);
  await field(page, 'Code from your authenticator app').fill(codeOf(secret));
  await button(page, 'Login').click();
  await page.waitForURL('**/dashboard/upload');
});
