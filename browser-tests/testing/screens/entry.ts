import { openPage } from '../stage.ts';
import { sawToast } from '../toasts.ts';
import { button, heading, type Visit } from './visit.ts';

export const entry: Visit = async ({ t, stage, options, say, judge }) => {
  const page = await openPage(t, stage, options);
  for (const path of ['/register', '/nowhere', '/login']) {
    await page.goto(path);
    await heading(page);
    await judge(page, path);
  }
  await button(page, say('Show password')).click();
  await page.getByLabel(say('Email'), { exact: true }).fill('nobody@example.com');
  await page.getByLabel(say('Password'), { exact: true }).fill('a wrong password');
  await button(page, say('Login')).click();
  await sawToast(t, page, say('Login failed. Please check your credentials.'));
  await judge(page, 'a failed login');
};

export const newPassword: Visit = async ({ t, stage, options, say, judge }) => {
  const page = await openPage(t, stage, options);
  await page.goto('/forgot');
  await page.getByText(say('This server sends no mail. Ask its administrator for a link to a new password.')).waitFor();
  await judge(page, '/forgot without a mail server');
  await page.goto('/reset');
  await page.getByText(say('This link is incomplete. Open it from the email again, or request a new one.')).waitFor();
  await judge(page, 'a link without its secret');
  await page.goto('/login');
  await page.goto(`/reset#token=${'x'.repeat(43)}`);
  await page.getByLabel(say('New password'), { exact: true }).fill('a new password');
  await judge(page, 'a new password');
  await button(page, say('Save password')).click();
  await sawToast(t, page, say("Couldn't save the password."));
  await judge(page, 'a link that has ended');
};
