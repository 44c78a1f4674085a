import { logIn } from '../../../server/testing/account.ts';
import { openSignedIn } from '../stage.ts';
import { button, type Visit } from './visit.ts';

export const settings: Visit = async ({ t, stage, options, say, judge }) => {
  const { page, account } = await openSignedIn(t, stage, '/login', options);
  await logIn(stage.app, account);
  await page.goto('/dashboard/settings');
  await page.getByText(say('This device')).waitFor();
  await judge(page, 'settings');
  const password = page.getByRole('region', { name: say('Password'), exact: true });
  await password.getByLabel(say('Current password'), { exact: true }).fill('not my password');
  await password.getByLabel(say('New password'), { exact: true }).fill('a new password');
  await button(password, say('Change password')).click();
  await password.locator('[aria-invalid="true"]').waitFor();
  await judge(page, 'a refused password');
  await button(page, say('Delete account…')).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await judge(page, 'the end of an account');
  await dialog.getByLabel(say('Your password'), { exact: true }).fill('not my password');
  await button(dialog, say('Delete account')).click();
  await dialog.locator('[aria-invalid="true"]').waitFor();
  await judge(page, 'the end of an account, refused');
  await page.route('**/api/account/sessions', (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await page.getByText(say("Couldn't load your sessions.")).waitFor();
  await judge(page, 'sessions that failed');
};
