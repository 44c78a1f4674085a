import type { Page } from 'playwright-core';
import t from 'tap';
import { secret, startRealProvider } from '../../server/auth/provider/testing/real-provider.ts';
import { createClaim } from '../../server/auth/roles/queries.ts';
import { signIn } from '../../server/testing/account.ts';
import { buildTestApp } from '../../server/testing/app.ts';
import { freePort } from '../../server/testing/free-port.ts';
import { findsNothing, findsNothingHere } from '../testing/checks/axe.ts';
import { launchChromium } from '../testing/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { openPage, openSignedIn, type Stage, stored } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const browser = await launchChromium(t);

/** A server with a real provider. */
async function openProviderStage(options: object = {}, host = '127.0.0.1'): Promise<Stage> {
  const port = await freePort();
  const origin = `http://${host}:${port}`;
  const { issuer } = await startRealProvider(t, origin);
  const oidc = { oidcIssuer: issuer, oidcClientId: 'gallery', oidcClientSecret: secret };
  const app = await buildTestApp(t, { publicUrl: origin, ...oidc, ...options });
  await app.listen({ host: '127.0.0.1', port });
  return { app, origin, browser };
}

const stage = await openProviderStage({ oidcButton: 'Log in with Example ID' });
const providerButton = (page: Page) => page.getByRole('link', { name: 'Log in with Example ID' });

/** On the provider's own pages. */
async function enter(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** In the question before a change that an open session alone must not make. */
async function proveByPassword(page: Page, password: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.getByLabel('Your password').fill(password);
  await question.getByRole('button', { name: 'Continue' }).click();
}

t.test('a login by the provider opens the upload page, and a logout ends both sessions', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/login');
  await providerButton(page).waitFor();
  await findsNothing(t, page, 'the login page');
  await providerButton(page).click();
  await enter(page, 'amira');
  await page.waitForURL('**/dashboard/upload');
  await sawToast(t, page, 'Login successful 🎉');
  t.match(JSON.parse((await stored(page, 'user')) ?? 'null'), { username: 'amira' });
  t.equal(new URL(page.url()).hash, '');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Upload Images' }).waitFor();

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByText('Do you want to sign-out').waitFor();
  t.equal(await page.getByRole('link', { name: 'View Images' }).count(), 0);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.waitForURL('**/login?local');
  t.equal(await stored(page, 'access_token'), null);
  await providerButton(page).click();
  await page.getByPlaceholder('Enter any login').waitFor();
});

t.test('an account links its sign-in in the settings, logs in by it, and unlinks it', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/settings');
  const box = page.getByRole('region', { name: 'Sign-in provider' });
  await box.getByText('No sign-in is linked.').waitFor();
  await box.getByRole('button', { name: 'Link a sign-in' }).click();
  await proveByPassword(page, account.password);
  await enter(page, 'noor');
  await page.waitForURL('**/dashboard/settings');
  await sawToast(t, page, 'Sign-in linked');
  await box.getByText('noor@provider.example').waitFor();
  await findsNothing(t, page, 'the settings');

  const other = await openPage(t, stage);
  await other.goto('/register');
  await providerButton(other).click();
  await enter(other, 'noor');
  await other.waitForURL('**/dashboard/upload');
  t.match(JSON.parse((await stored(other, 'user')) ?? 'null'), { id: account.id });

  await box.getByRole('button', { name: 'Unlink noor@provider.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await proveByPassword(page, account.password);
  await sawToast(t, page, 'Sign-in unlinked');
  await box.getByText('No sign-in is linked.').waitFor();
  const me = await stage.app.inject({ url: '/api/auth/me', headers: account.bearer });
  t.equal(me.statusCode, 200, 'the session that unlinks continues');
});

t.test('the page says why a login or a link by the provider failed', async (t) => {
  await signIn(stage.app);
  await stage.app.db.execute(
    "update users set email = 'lina@provider.example', email_key = 'lina@provider.example' where id = (select max(id::text)::uuid from users)",
  );
  const page = await openPage(t, stage);
  await page.goto('/login');
  await providerButton(page).click();
  await enter(page, 'lina');
  await page.getByRole('alert').filter({ hasText: 'An account with your email exists already.' }).waitFor();
  t.equal(new URL(page.url()).search + new URL(page.url()).hash, '?local');
  t.equal(await stored(page, 'access_token'), null);

  const { page: settings } = await openSignedIn(t, stage, '/dashboard/settings#provider-problem=linked-elsewhere');
  await sawToast(t, settings, 'This sign-in is linked to another account. Unlink it there first.');
  const arabic = await openPage(t, stage, { locale: 'ar-EG' });
  await arabic.goto('/login?local#problem=unavailable');
  await arabic.getByRole('alert').filter({ hasText: 'مزوّد الهوية لا يستجيب' }).waitFor();
});

t.test('with OIDC_AUTO the login page leads to the provider, except at /login?local and after a logout', async (t) => {
  const auto = await openProviderStage({ oidcAuto: 'on' });
  const page = await openPage(t, auto);
  await page.goto('/dashboard/images');
  await enter(page, 'amira');
  await page.waitForURL('**/dashboard/upload');
  const local = await openPage(t, auto);
  await local.goto('/login?local');
  await local.getByRole('link', { name: 'Log in with single sign-on' }).waitFor();
  const { page: left } = await openSignedIn(t, auto, '/dashboard/upload');
  await left.getByRole('button', { name: 'Logout' }).click();
  await left.getByRole('link', { name: 'Log in with single sign-on' }).waitFor();
  t.equal(new URL(left.url()).pathname, '/login');
});

t.test('with PASSWORD_LOGIN=off only the button of the provider is shown', async (t) => {
  const off = await openProviderStage({ passwordLogin: 'off' });
  for (const path of ['/login', '/register']) {
    const page = await openPage(t, off);
    await page.goto(path);
    await page.getByRole('link', { name: 'Log in with single sign-on' }).waitFor();
    await eventually(t, () => page.getByRole('textbox').count(), 0, `${path} has no fields`);
    t.equal(await page.getByText('or', { exact: true }).count(), 0);
    await findsNothingHere(t, page, `${path} without passwords`);
  }
  const forgot = await openPage(t, off);
  await forgot.goto('/forgot');
  await forgot.getByText('Passwords are turned off on this server.').waitFor();
  t.equal(await forgot.getByRole('textbox').count(), 0);
  await forgot.goto('/login');
  await forgot.getByRole('link', { name: 'Log in with single sign-on' }).click();
  await enter(forgot, 'amira');
  await forgot.waitForURL('**/dashboard/upload');
  await forgot.goto('/dashboard/settings');
  await forgot.getByText('Passwords are turned off on this server.').waitFor();
  t.equal(await forgot.getByLabel('Current password').count(), 0);
  await off.app.db.execute("update users set role = 'admin'");
  await forgot.goto('/dashboard/admin?part=people');
  await forgot.getByRole('button', { name: 'Manage amira' }).click();
  await forgot.getByRole('button', { name: 'End sessions' }).waitFor();
  const passwordLink = forgot.getByRole('button', { name: 'Password link' });
  await eventually(t, () => passwordLink.count(), 0, 'no link to a password that would be refused');
});

t.test('with PASSWORD_LOGIN=off the claim of the first administrator works by the provider', async (t) => {
  const off = await openProviderStage({ passwordLogin: 'off', oidcRegistration: 'off' });
  const page = await openPage(t, off);
  await page.goto(`/claim#token=${await createClaim(off.app.db)}`);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByText('This account becomes the administrator of this server.').waitFor();
  await findsNothingHere(t, page, 'the registration by a claim');
  await page.getByRole('button', { name: 'Log in with single sign-on' }).click();
  await enter(page, 'amira');
  await page.waitForURL('**/dashboard/admin');
  await sawToast(t, page, 'You are the administrator now');

  const late = await openPage(t, off);
  await late.goto(`/register#token=${'x'.repeat(43)}`);
  await late.getByRole('alert').filter({ hasText: 'This invitation has been used' }).waitFor();
  await late.getByRole('link', { name: 'Log in with single sign-on' }).waitFor();
});

t.test('with PASSWORD_LOGIN=off the login page offers passkeys', async (t) => {
  const off = await openProviderStage({ passwordLogin: 'off' }, 'localhost');
  const page = await openPage(t, off);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Log in with single sign-on' }).waitFor();
  await eventually(t, () => page.getByRole('textbox').count(), 0, 'it has no fields');
  const passkey = page.getByRole('button', { name: 'Log in with a passkey' });
  await passkey.waitFor();
  const top = async (button: typeof passkey) => (await button.boundingBox())?.y ?? 0;
  t.ok(
    (await top(page.getByRole('link', { name: 'Log in with single sign-on' }))) < (await top(passkey)),
    'the button of the provider is first',
  );
});

t.test('an account without a password confirms a change by a new login at the provider', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/login');
  await providerButton(page).click();
  await enter(page, 'rana');
  await page.waitForURL('**/dashboard/upload');
  await page.goto('/dashboard/settings?from=here');
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const begin = () => page.getByRole('button', { name: 'Set up an app' }).click();
  await begin();
  await question.getByText('You logged in at your identity provider a moment ago.').waitFor();
  await stage.app.db.execute(
    "update sessions set created_at = now() - interval '6 minutes' where user_id = (select id from users where username = 'rana')",
  );
  await question.getByRole('button', { name: 'Continue' }).click();
  const again = question.getByRole('button', { name: 'Log in at the provider again' });
  await again.waitFor();
  t.equal(await question.getByText('a moment ago').count(), 0);
  t.equal(await question.getByRole('button', { name: 'Continue' }).count(), 0);
  await findsNothing(t, page, 'the question for a new login');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await begin();
  await again.click();
  await page.getByPlaceholder('Enter any login').fill('rana');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.waitForURL('**/dashboard/settings?from=here');
  await sawToast(t, page, 'Confirmed');
  await begin();
  await question.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
});
