/** Uploads of small and large files that wait for the network or the server, then resume and are stored once. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { uploads } from '../../drizzle/schema.ts';
import type { ImagePage } from '../../server/contract.ts';
import { choose, largePicture, pngs } from '../testing/files.ts';
import { hold } from '../testing/hold.ts';
import { goingOn, toldOfLoss } from '../testing/interrupting.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { notedToasts, sawToast } from '../testing/toasts.ts';

t.setTimeout(600_000);

const stage = await openStage(t);
const worked = 'Images uploaded successfully 📸';

const pending = (page: Page) => page.getByRole('list', { name: 'Pending' }).locator('bdi').allInnerTexts();
/** The list's script is loaded over the network. */
const listed = (page: Page) => page.getByRole('list', { name: 'Pending' }).waitFor();
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true });

t.test('a large file waits for the network even if its upload script was not loaded yet', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const asked: string[] = [];
  page.on('requestfailed', (request) => asked.push(new URL(request.url()).pathname));
  await choose(page, await pngs('small.png'));
  await listed(page);
  await page.context().setOffline(true);
  await choose(page, [await largePicture('large.png')]);
  await upload(page).click();
  await goingOn(page);
  t.ok(
    asked.some((path) => /\/resumable-upload-[^/]+\.js$/.test(path)),
    'the script failed to load',
  );
  t.same(await pending(page), ['small.png', 'large.png']);
  await page.context().setOffline(false);
  await sawToast(t, page, worked);
  t.same(await notedToasts(page), [toldOfLoss, [worked]], 'the loss is reported once');
});

t.test('a large file sent in too many parts starts again', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  const answers: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/uploads')) answers.push(`${response.request().method()} ${response.status()}`);
  });
  const { reached, release } = await hold(page, '**/api/uploads/*', { method: 'PATCH' });
  await choose(page, [await largePicture('broken-off.png')]);
  await upload(page).click();
  await reached;
  await stage.app.db.update(uploads).set({ pieces: Array(1000).fill('piece') });
  release();
  await sawToast(t, page, worked);
  t.same(await notedToasts(page), [[worked]], 'no error is shown');
  t.same(answers.sort(), ['DELETE 204', 'PATCH 200', 'PATCH 204', 'PATCH 413', 'POST 201', 'POST 201']);
  const list = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
  t.equal(list.json<ImagePage>().total, 1);
});
