import type { Page } from 'playwright-core';
import t from 'tap';
import { logIn, signIn } from '../server/testing/account.ts';
import { buildTestApp, listen } from '../server/testing/app.ts';
import { readMail, startMailServer } from '../server/testing/mail-server.ts';
import { findsNothing } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { eventually } from './testing/eventually.ts';
import { openPage, type Stage, type sizes, stored } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

const post = await startMailServer(t);
const publicUrl = 'http://img.example.com';
const app = await buildTestApp(t, { smtpUrl: post.url, mailFrom: 'gallery@example.com', publicUrl });
const stage: Stage = { app, origin: await listen(app), browser: await launchChromium(t) };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const bothSizes: (keyof typeof sizes)[] = ['desktop', 'phone'];

for (const size of bothSizes) {
  t.test(`who forgot a password gets to a new one by the link in a mail (${size})`, async (t) => {
    const account = await signIn(app);
    const page = await openPage(t, stage, { size });
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reset your password' }).waitFor();
    await findsNothing(t, page, `forgot, ${size}`);
    const count = post.mails.length;
    await field(page, 'Email').fill(account.email);
    await button(page, 'Send the link').click();
    await page.getByText('If there is an account with this email, a link is on its way.').waitFor();
    const mail = (await post.received(count + 1)).at(-1);
    const link = /http:\/\/\S+#token=\S+/.exec(mail ? readMail(mail).plain : '')?.[0] ?? '';
    await page.goto(link.slice(publicUrl.length));
    await page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor();
    t.equal(new URL(page.url()).hash, '', 'the secret is out of the address bar');
    await findsNothing(t, page, `reset, ${size}`);
    await field(page, 'New password').fill('a new password');
    await button(page, 'Save the password').click();
    await page.waitForURL('**/login');
    await sawToast(t, page, 'Your new password is saved. You can now login.');
    await t.resolves(logIn(app, { ...account, password: 'a new password' }));
    t.equal((await app.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode, 401);

    await page.goto('/');
    await page.goto(link.slice(publicUrl.length));
    await field(page, 'New password').fill('another password');
    await button(page, 'Save the password').click();
    await sawToast(t, page, 'The password was not saved', 'This link has been used or is too old. Ask for a new one.');
  });
}

t.test('a link ends the session that stands in its browser, whosever it is', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const count = post.mails.length;
  await app.inject({ method: 'POST', url: '/api/auth/forgot', payload: { email: account.email } });
  const mail = (await post.received(count + 1)).at(-1);
  const link = /http:\/\/\S+#token=\S+/.exec(mail ? readMail(mail).plain : '')?.[0] ?? '';
  const page = await openPage(t, stage, { account: other });
  await page.goto(link.slice(publicUrl.length));
  await field(page, 'New password').fill('a new password');
  await button(page, 'Save the password').click();
  await page.waitForURL('**/login');
  t.equal(await stored(page, 'access_token'), null);
  const status = async () => (await app.inject({ url: '/api/auth/me', headers: other.bearer })).statusCode;
  await eventually(t, status, 401, 'its token is worth nothing any more');
});

t.test('a link without its secret says so', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/reset');
  await page.getByText('This link is not complete.').waitFor();
  await findsNothing(t, page, 'an incomplete link');
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reset your password' }).waitFor();
});

t.test('a page that speaks Arabic asks for an Arabic mail', async (t) => {
  const account = await signIn(app);
  const page = await openPage(t, stage, { locale: 'ar' });
  await page.goto('/forgot');
  await page.getByRole('heading', { level: 1, name: 'استعادة كلمة المرور' }).waitFor();
  const count = post.mails.length;
  await field(page, 'البريد الإلكتروني').fill(account.email);
  await button(page, 'أرسل الرابط').click();
  const mail = (await post.received(count + 1)).at(-1);
  t.match(mail && readMail(mail).plain, /مرحبًا/);
});
