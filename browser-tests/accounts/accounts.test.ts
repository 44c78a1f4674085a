import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { eventually } from '../testing/eventually.ts';
import { logIn } from '../testing/log-in.ts';
import { openPage, openSignedIn, openStage, stored } from '../testing/stage.ts';
import { notedToasts, sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const password = 'a long enough password';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function goLogIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await logIn(page, person);
}

t.test('without a stored token every dashboard screen redirects to the login', async (t) => {
  const page = await openPage(t, stage);
  const screens = ['upload', 'images', 'albums', 'video', 'settings'].map((name) => `/dashboard/${name}`);
  for (const path of ['/', '/dashboard', ...screens]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor();
    t.equal(new URL(page.url()).pathname, '/login', `${path} redirects to the login`);
    t.equal(await page.getByRole('link', { name: 'View Images' }).count(), 0, `${path} shows nothing of the dashboard`);
  }
});

t.test('a successful login opens the upload page and is stored', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage);
  await goLogIn(page, account);
  await page.waitForURL('**/dashboard/upload');
  await sawToast(t, page, 'Login successful 🎉');
  const token = await stored(page, 'access_token');
  const me = await stage.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } });
  t.equal(me.statusCode, 200, 'the stored token is valid');
  const user = JSON.parse((await stored(page, 'user')) ?? 'null');
  t.match(user, { id: account.id, email: account.email }, 'the user is stored as JSON');
  const cookies = await page.context().cookies();
  t.equal(cookies.length, 1);
  t.match(cookies[0], { httpOnly: true, sameSite: 'Lax' });
  t.not(cookies[0]?.value, token, 'the cookie has a separate token');
});

t.test('a failed login shows an error and keeps the input', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage);
  await goLogIn(page, { email: account.email, password: 'a wrong password' });
  await sawToast(t, page, 'Login failed. Please check your credentials.');
  t.equal(new URL(page.url()).pathname, '/login');
  t.equal(await field(page, 'Email').inputValue(), account.email);
  t.equal(await field(page, 'Password').inputValue(), 'a wrong password');
  t.equal(await stored(page, 'access_token'), null);
});

async function register(page: Page, { username, email }: { username: string; email: string }): Promise<void> {
  await page.goto('/register');
  await field(page, 'Username').fill(username);
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Register').click();
}

t.test('a registration leads to the login, and the new account can log in', async (t) => {
  const page = await openPage(t, stage);
  const username = `أميرة-${randomBytes(4).toString('hex')}`;
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  await register(page, { username, email });
  await page.waitForURL('**/login');
  await sawToast(t, page, 'Registration successful! You can now login.');
  t.equal(await stored(page, 'access_token'), null, 'registering does not log in');
  await page.getByText('Your account was created. Log in with your password.').waitFor();
  t.equal(await field(page, 'Email').inputValue(), email);
  await field(page, 'Password').fill(password);
  await button(page, 'Login').click();
  await page.waitForURL('**/dashboard/upload');
  t.equal(JSON.parse((await stored(page, 'user')) ?? 'null').username, username);
});

t.test('a failed registration shows an error with the reason, and keeps the input', async (t) => {
  const { email } = await signIn(stage.app);
  const page = await openPage(t, stage);
  const refusal = page.waitForResponse('**/api/auth/register');
  await register(page, { username: 'somebody-else', email });
  const { message } = await (await refusal).json();
  await sawToast(t, page, 'Registration failed. Please try again.', message);
  t.equal(new URL(page.url()).pathname, '/register');
  t.equal(await field(page, 'Username').inputValue(), 'somebody-else');
});

t.test('logout removes the token from the browser and revokes it on the server', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await button(page, 'Logout').click();
  await page.waitForURL('**/login');
  t.equal(await stored(page, 'access_token'), null);
  const status = async () => (await stage.app.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode;
  await eventually(t, status, 401, 'the token is refused afterwards');
  await eventually(t, async () => (await page.context().cookies()).length, 0, 'the cookie is gone');
  t.same(await notedToasts(page), [], 'no toast about an expired session');
  await page.goto('/dashboard/images');
  await page.waitForURL('**/login');
});

t.test('a logout in one tab opens the login in the other tab', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const other = await page.context().newPage();
  await other.goto('/dashboard/video');
  await button(page, 'Logout').click();
  await other.waitForURL('**/login');
});

const expired = 'Your session has expired. Please log in again.';

t.test('an ended session opens the login and shows why', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await page.getByRole('heading', { level: 1, name: 'Upload Images' }).waitFor();
  await stage.app.inject({ method: 'POST', url: '/api/auth/logout', headers: account.bearer });
  await page.getByRole('link', { name: 'View Images' }).click();
  await page.waitForURL('**/login');
  await sawToast(t, page, expired);
  t.same(await notedToasts(page), [[expired]], 'one toast');
  t.equal(await stored(page, 'access_token'), null);
});
