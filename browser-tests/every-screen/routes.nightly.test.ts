import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';

const stage = await openStage(t);
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

t.test('the root redirects to the upload page', async (t) => {
  const { page } = await openSignedIn(t, stage, '/');
  await page.waitForURL('**/dashboard/upload');
  await heading(page, 'Upload Images').waitFor();
});

t.test('the bare dashboard redirects to the upload page', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard');
  await page.waitForURL('**/dashboard/upload');
  await heading(page, 'Upload Images').waitFor();
});

t.test('each screen of the dashboard has its heading', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await heading(page, 'Upload Images').waitFor();
  await page.goto('/dashboard/images');
  await heading(page, 'Image Gallery').waitFor();
  await page.goto('/dashboard/video');
  await heading(page, 'مشغّل فيديو من مزوّد سحابي').waitFor();
  await eventually(t, () => page.title(), 'Video Player', 'the title follows the heading');
});

t.test('a stored token is not validated before a page is shown, and a background 401 does not log out', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/login');
  await page.evaluate("localStorage.setItem('access_token', 'long dead')");
  const asked = page.waitForResponse('**/api/images/usage');
  await page.goto('/dashboard/upload');
  await heading(page, 'Upload Images').waitFor();
  t.equal((await asked).status(), 401);
  // By the time of a later answer, the page has processed that one.
  await page.evaluate("fetch('/api/health/live').then((answer) => answer.text())");
  await page.goto('/dashboard/video');
  await heading(page, 'مشغّل فيديو من مزوّد سحابي').waitFor();
  t.equal(await page.evaluate("localStorage.getItem('access_token')"), 'long dead', 'the session was kept');
});

t.test('the login and register pages are available while logged in', async (t) => {
  const { page } = await openSignedIn(t, stage, '/login');
  await heading(page, 'Login').waitFor();
  await page.goto('/register');
  await heading(page, 'Register').waitFor();
});

const unknown = ['/nowhere', '/dashboard/nowhere', '/dashboard/images/5', '/login/again', '/register.php'];

async function isNotFoundPage(t: Test, page: Page, path: string): Promise<void> {
  const answer = await page.goto(path);
  t.equal(answer?.status(), 404, `${path} answers 404`);
  await heading(page, '404 Page Not Found').waitFor();
  t.equal(new URL(page.url()).pathname, path, `${path} stays in the address`);
  await page.getByText('404', { exact: true }).waitFor();
  await page.getByText('Page Not Found', { exact: true }).waitFor();
}

t.test('an unknown path shows the 404 page without a login', async (t) => {
  const page = await openPage(t, stage);
  for (const path of unknown) await isNotFoundPage(t, page, path);
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await heading(page, 'Login').waitFor();
});

t.test('an unknown path shows the 404 page with a login', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  for (const path of unknown) await isNotFoundPage(t, page, path);
  t.equal(await page.getByRole('link', { name: 'View Images' }).count(), 0, 'without the sidebar');
  t.equal(await page.getByRole('link', { name: 'Go to Home' }).getAttribute('href'), '/');
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await page.waitForURL('**/dashboard/upload');
});

t.test('Back from a screen does not return to a redirect', async (t) => {
  const { page } = await openSignedIn(t, stage, '/register');
  await page.goto('/');
  await heading(page, 'Upload Images').waitFor();
  await page.goBack();
  await heading(page, 'Register').waitFor();
});
