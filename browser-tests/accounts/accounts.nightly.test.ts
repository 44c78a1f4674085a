import type { Page } from 'playwright-core';
import t from 'tap';
import { hold } from '../testing/hold.ts';
import { textOf } from '../testing/in-page.ts';
import { logIn } from '../testing/log-in.ts';
import { openPage, openSignedIn, openStage, stored } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const password = 'a long enough password';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

/** The calls of a form. Reads are ignored: the page makes them in any case. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && request.method() !== 'GET') calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

async function invalidFields(page: Page): Promise<(string | null)[]> {
  await field(page, 'Email').waitFor();
  const fields = await page.locator('input:invalid').all();
  return Promise.all(fields.map((field) => field.getAttribute('name')));
}

async function goLogIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await logIn(page, person);
}

for (const path of ['/login', '/register']) {
  t.test(`${path} is shown beside the brand panel`, async (t) => {
    const page = await openPage(t, stage);
    await page.goto(path);
    const panel = page.getByRole('complementary');
    await panel.waitFor();
    t.equal(await panel.getByText('ENCRYPTION', { exact: true }).count(), 1);
    t.match(await textOf(panel), /storage provider/i, 'the tagline mentions a storage provider');
    const [brand, form] = [await panel.boundingBox(), await page.getByRole('main').boundingBox()];
    t.ok(brand && form && brand.x + brand.width <= form.x + 1, 'side by side');
  });

  t.test(`the toggle of ${path} shows and hides the password`, async (t) => {
    const page = await openPage(t, stage);
    await page.goto(path);
    await field(page, 'Password').fill('secret words');
    t.equal(await field(page, 'Password').getAttribute('type'), 'password');
    await button(page, 'Show password').click();
    t.equal(await field(page, 'Password').getAttribute('type'), 'text');
    t.equal(await field(page, 'Password').inputValue(), 'secret words', 'the input stays');
    await button(page, 'Hide password').click();
    t.equal(await field(page, 'Password').getAttribute('type'), 'password');
    await button(page, 'Show password').waitFor();
    t.equal(await button(page, 'Show password').count(), 1);
  });
}

t.test('the login form requires an email and a password before it calls the server', async (t) => {
  const page = await openPage(t, stage);
  const calls = callsOf(page);
  await page.goto('/login');
  t.equal(await field(page, 'Email').getAttribute('type'), 'email');
  t.same(await invalidFields(page), ['email', 'password'], 'both are required');
  await button(page, 'Login').click();
  await field(page, 'Email').fill('no address');
  await field(page, 'Password').fill(password);
  t.same(await invalidFields(page), ['email'], 'the email must be valid');
  await button(page, 'Login').click();
  t.same(calls, []);
  t.equal(new URL(page.url()).pathname, '/login');
});

t.test('the registration form requires a username, an email and a password before it calls the server', async (t) => {
  const page = await openPage(t, stage);
  const calls = callsOf(page);
  await page.goto('/register');
  t.same(await invalidFields(page), ['username', 'email', 'password']);
  await button(page, 'Register').click();
  t.same(calls, []);
});

t.test('the forgotten-password link stays on the login page if the server sends no mail', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/login');
  await field(page, 'Email').fill('amira@example.com');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  t.equal(new URL(page.url()).pathname, '/login');
  t.equal(await field(page, 'Email').inputValue(), 'amira@example.com', 'the input stays');
});

t.test('login and registration link to each other', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Sign Up', exact: true }).click();
  await page.waitForURL('**/register');
  await page.getByRole('heading', { level: 1, name: 'Register' }).waitFor();
  await page.getByRole('link', { name: 'Login', exact: true }).click();
  await page.waitForURL('**/login');
});

t.test('after the login every call sends the token', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  const [request] = await Promise.all([
    page.waitForRequest('**/api/images/?*'),
    page.getByRole('link', { name: 'View Images' }).click(),
  ]);
  t.equal((await request.allHeaders()).authorization, `Bearer ${account.token}`);
  t.equal(new URL(request.url()).search, '?page=1&search=');
});

t.test('a login without a connection shows the same toast and the reason', async (t) => {
  const page = await openPage(t, stage);
  await page.route('**/api/auth/login', (route) => route.abort());
  await goLogIn(page, { email: 'amira@example.com', password });
  await sawToast(t, page, 'Login failed. Please check your credentials.', 'The connection was lost.');
});

async function register(page: Page, { username, email }: { username: string; email: string }): Promise<void> {
  await page.goto('/register');
  await field(page, 'Username').fill(username);
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Register').click();
}

t.test('a registration without a connection shows the same toast', async (t) => {
  const page = await openPage(t, stage);
  await page.route('**/api/auth/register', (route) => route.abort());
  await register(page, { username: 'nobody', email: 'nobody@example.com' });
  await sawToast(t, page, 'Registration failed. Please try again.');
});

t.test('a form submitted twice calls the server once', async (t) => {
  const page = await openPage(t, stage);
  const calls = callsOf(page);
  const { release } = await hold(page, '**/api/auth/login', {
    go: (route) => route.fulfill({ status: 500, json: {} }),
  });
  await goLogIn(page, { email: 'amira@example.com', password });
  await page.locator('button[aria-disabled]').waitFor();
  await button(page, 'Login').dispatchEvent('click');
  await field(page, 'Password').press('Enter');
  release();
  await sawToast(t, page, 'Login failed. Please check your credentials.');
  t.equal(calls.length, 1);
});

t.test('a logout without a connection still logs out in the browser', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await page.getByRole('heading', { level: 1, name: 'Upload Images' }).waitFor();
  await page.route('**/api/**', (route) => route.abort());
  await button(page, 'Logout').click();
  await page.waitForURL('**/login');
  t.equal(await stored(page, 'access_token'), null);
});
