import t from 'tap';
import { choose, pngs } from '../testing/files.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';

const stage = await openStage(t);

t.test('an error screen is shown if the first words do not load', async (t) => {
  const page = await openPage(t, stage);
  await page.route('**/assets/en-*.js', (route) => route.abort());
  await page.goto('/login');
  const failure = page.getByRole('alert');
  await failure.getByRole('heading', { level: 1, name: "Couldn't load this page." }).waitFor();
  await page.unroute('**/assets/en-*.js');
  await failure.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor();
});

t.test('an error screen is shown in the reader’s language if the first script does not load', async (t) => {
  const page = await openPage(t, stage, { locale: 'ar-EG' });
  await page.route('**/assets/index-*.js', (route) => route.abort());
  await page.goto('/login');
  await page.getByRole('alert').getByRole('button', { name: 'إعادة التحميل' }).waitFor();
});

t.test('a page shows a skeleton while its files load, and an error if they do not', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/images');
  await page.getByRole('heading', { level: 1, name: 'Image Gallery' }).waitFor();
  let refuse = (): void => {};
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route('**/assets/video-page-*.js', async (route) => {
    await refused;
    await route.abort();
  });
  await page.getByRole('link', { name: 'Video Player' }).click();
  await page.getByRole('main').getByText('Loading', { exact: true }).waitFor();
  refuse();
  const failure = page.getByRole('main').getByRole('alert');
  await failure.getByRole('heading', { level: 1, name: "Couldn't load this page." }).waitFor();
  await page.getByRole('link', { name: 'Upload Images' }).click();
  await page.getByRole('heading', { level: 1, name: 'Upload Images' }).waitFor();
  await page.unroute('**/assets/video-page-*.js');
  await page.getByRole('link', { name: 'Video Player' }).click();
  await page.getByRole('heading', { level: 1, name: 'مشغّل فيديو من مزوّد سحابي' }).waitFor();
});

t.test('chosen files appear after a retry if the script of their list did not load', async (t) => {
  const { page } = await openSignedIn(t, stage, '/login');
  await page.route('**/assets/pending-list-*.js', (route) => route.abort());
  await page.goto('/dashboard/upload');
  await choose(page, await pngs('a.png'));
  const failure = page.getByRole('alert').filter({ hasText: "Couldn't show the list." });
  await failure.waitFor();
  await page.unroute('**/assets/pending-list-*.js');
  await failure.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: 'Remove a.png' }).waitFor();
});

t.test('a link’s page loads as soon as the pointer is over it', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const loaded = page.waitForResponse(/assets\/settings-page-.*\.js$/);
  await page.getByRole('link', { name: 'Settings' }).hover();
  t.ok((await loaded).ok());
});
