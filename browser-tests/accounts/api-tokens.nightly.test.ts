/** Second cases of API tokens: refusals, and the steps of a shortcut. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { createApiToken } from '../../server/testing/api-token.ts';
import { arabic, strayWords } from '../testing/arabic.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { hasFocus } from '../testing/keyboard.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { box, button, field, path } from '../testing/tasks/account-settings.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const { app, origin } = stage;

const tokensBox = (page: Page): Locator => box(page, 'API tokens');
const rows = (page: Page): Locator => tokensBox(page).getByRole('listitem');

t.test('what the server refuses is shown, and the input stays', async (t) => {
  const account = await signIn(app);
  const { page } = await openSignedIn(t, stage, path, { account });
  await button(page, 'New token').click();
  await field(page, 'Name').fill('One too many');
  const answer = { statusCode: 409, code: 'TOO_MANY_TOKENS', error: 'Conflict', message: 'At most 100 API tokens.' };
  await page.route('**/api/account/tokens', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 409, json: answer }) : route.continue(),
  );
  await button(page, 'Create token').click();
  await sawToast(t, page, "Couldn't create the token.", 'At most 100 API tokens.');
  t.equal(await field(page, 'Name').inputValue(), 'One too many');
  await button(page, 'Cancel').click();
  await hasFocus(t, page, 'New token');

  const { id } = await createApiToken(app, account, ['images:upload'], { name: 'Gone' });
  await page.reload();
  await rows(page).getByText('Gone', { exact: true }).waitFor();
  await app.inject({ method: 'DELETE', url: `/api/account/tokens/${id}`, headers: account.bearer });
  await button(page, 'End Gone').click();
  await button(page, 'End token').click();
  await sawToast(t, page, "Couldn't end the token.", 'There is no such token. It may have ended already.');
  await tokensBox(page).getByText('No API tokens yet.').waitFor();

  await page.unrouteAll();
  await page.route('**/api/account/tokens', (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await tokensBox(page).getByText("Couldn't load your API tokens.").waitFor();
  await page.unrouteAll();
  await tokensBox(page).getByRole('button', { name: 'Retry' }).click();
  await tokensBox(page).getByText('No API tokens yet.').waitFor();
});

t.test('a shortcut for iOS is built by steps on the page, in Arabic (phone)', async (t) => {
  const account = await signIn(app);
  const { page } = await openSignedIn(t, stage, path, { ...arabic, account, size: 'phone' });
  await button(page, 'رمز جديد').click();
  await field(page, 'الاسم').fill('آيفون');
  await field(page, 'البرنامج').selectOption('ios');
  await button(page, 'إنشاء الرمز').click();
  const arabicBox = box(page, 'رموز API');
  await arabicBox.getByText(`${origin}/api/images/upload`).waitFor();
  t.equal(await arabicBox.locator('ol > li').count(), 10);
  await findsNothingHere(t, page, 'the steps in Arabic');
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'nothing is cut off');
  t.same(await strayWords(page), []);
});
