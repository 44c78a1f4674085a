/** Tasks completed by a mailed link: a password reset and a changed email. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { logIn, signIn } from '../../../server/testing/account.ts';
import { readMail, startMailServer } from '../../../server/testing/mail/mail-server.ts';
import { findsNothingHere } from '../checks/axe.ts';
import type { Judge } from '../screens/visit.ts';
import { openPage, openSignedIn, openStage, type PageOptions, type Stage } from '../stage.ts';
import { sawToast } from '../toasts.ts';

const publicUrl = 'http://img.example.com';

export type MailStage = Stage & { post: Awaited<ReturnType<typeof startMailServer>> };

export async function openMailStage(t: Test): Promise<MailStage> {
  const post = await startMailServer(t);
  const stage = await openStage(t, { smtpUrl: post.url, mailFrom: 'gallery@example.com', publicUrl });
  return { ...stage, post };
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
export const box = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Path and fragment of the link in the newest mail to this address. */
export function linkTo({ post }: MailStage, address: string): string {
  const mail = post.mails.findLast(({ to }) => to.includes(address));
  const link = /http:\/\/\S+#token=[\w&-]+/.exec(mail ? readMail(mail).plain : '')?.[0] ?? publicUrl;
  return link.slice(publicUrl.length);
}

export async function setsNewPassword(
  t: Test,
  stage: MailStage,
  options: PageOptions,
  judge: Judge = findsNothingHere,
): Promise<void> {
  const { app, post } = stage;
  const account = await signIn(app);
  const page = await openPage(t, stage, options);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reset your password' }).waitFor();
  await judge(t, page, 'forgot');
  const count = post.mails.length;
  await field(page, 'Email').fill(account.email);
  await button(page, 'Send link').click();
  await page.getByText('If an account uses this email, a link is on its way.').waitFor();
  await post.received(count + 1);
  const link = linkTo(stage, account.email);
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor();
  t.equal(new URL(page.url()).hash, '', 'the secret is removed from the address bar');
  await judge(t, page, 'reset');
  await field(page, 'New password').fill('a new password');
  await button(page, 'Save password').click();
  await page.waitForURL('**/login');
  await sawToast(t, page, 'Password saved. You can now log in.');
  await t.resolves(logIn(app, { ...account, password: 'a new password' }));
  t.equal((await app.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode, 401);

  await page.goto('/');
  await page.goto(link);
  await field(page, 'New password').fill('another password');
  await button(page, 'Save password').click();
  await sawToast(t, page, "Couldn't save the password.", 'This link has been used or is too old. Request a new one.');
}

export async function confirmsNewEmail(
  t: Test,
  stage: MailStage,
  options: PageOptions,
  judge: Judge = findsNothingHere,
): Promise<void> {
  const { app, post } = stage;
  const { page, account } = await openSignedIn(t, stage, '/dashboard/settings', options);
  // Otherwise the confirmation is the first one, which ends the session.
  await app.db.execute(`update users set email_confirmed_at = now() where id = '${account.id}'`);
  const profile = box(page, 'Profile');
  const email = `new-${account.email}`;
  const count = post.mails.length;
  await field(page, 'Email').fill(email);
  await profile.getByLabel('Current password', { exact: true }).fill(account.password);
  await button(page, 'Save').click();
  await sawToast(t, page, 'Saved', 'To confirm your new email, open the link that was sent to it.');
  await profile.getByText(`Not confirmed yet: ${email}`).waitFor();
  t.equal(await field(page, 'Email').inputValue(), account.email, 'the old email until then');
  await judge(t, page, 'an email that waits');
  await post.received(count + 2);
  await button(page, 'Send link again').click();
  await sawToast(t, page, 'Link sent again');
  await post.received(count + 3);

  const mailed = await openPage(t, stage, options);
  await mailed.goto(linkTo(stage, email));
  await mailed.getByRole('heading', { level: 1, name: 'Confirm your email' }).waitFor();
  t.notMatch(mailed.url(), 'token', 'the secret is removed from the address bar');
  await judge(t, mailed, 'the page of the link');
  await t.rejects(logIn(app, { ...account, email }), 'opening the page confirms nothing');
  await button(mailed, 'Confirm email').click();
  await sawToast(t, mailed, 'Email confirmed');
  await mailed.waitForURL('**/login');
  await t.resolves(logIn(app, { ...account, email }));
  await page.reload();
  await box(page, 'Sessions').getByText('This device').waitFor();
  t.equal(await profile.getByText('Not confirmed yet').count(), 0);
}
