/** An interrupted, paused or abandoned upload is completed, and each file is stored once. */
import type { Page } from 'playwright-core';
import t from 'tap';
import type { ImagePage } from '../../server/contract.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { choose, damaged, largePicture, pngs } from '../testing/files.ts';
import { hold } from '../testing/hold.ts';
import { goingOn, toldOfLoss } from '../testing/interrupting.ts';
import { kept } from '../testing/kept-files.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { notedToasts, sawToast } from '../testing/toasts.ts';

t.setTimeout(300_000);

const stage = await openStage(t);
const worked = 'Images uploaded successfully 📸';

const pending = (page: Page) => page.getByRole('list', { name: 'Pending' }).locator('bdi').allInnerTexts();
/** The list's script is loaded over the network. */
const listed = (page: Page) => page.getByRole('list', { name: 'Pending' }).waitFor();
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true });

/** Lets the next form reach the server, and loses the answer. */
async function loseAnswer(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.once('Fetch.requestPaused', async ({ requestId }) => {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
    await session.send('Fetch.disable');
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/images/upload', requestStage: 'Response' }] });
}

t.test('a form that was stored, but whose answer was lost, is sent again and stored once', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, [...(await pngs('one.png', 'two.png')), await damaged('broken.jpg')]);
  await loseAnswer(page);
  await upload(page).click();
  await sawToast(t, page, 'Upload failed. Please try again.', '2 of 3 images uploaded, 1 failed. See why under it.');
  t.same(await pending(page), ['broken.jpg']);
  const receipt = page.getByRole('region', { name: 'Last upload' });
  t.match(await receipt.textContent(), /2 stored1 not uploaded/, 'no file is reported as a duplicate');
  const list = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
  t.equal(list.json<ImagePage>().total, 2);
});

t.test('small files wait for the network, can be paused meanwhile, and then upload', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png', 'two.png'));
  await listed(page);
  await page.context().setOffline(true);
  await upload(page).click();
  await goingOn(page);
  t.same(await pending(page), ['one.png', 'two.png']);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/· Paused/).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await goingOn(page);
  await page.context().setOffline(false);
  await sawToast(t, page, worked);
  t.same(await notedToasts(page), [toldOfLoss, [worked]], 'the loss is reported once');
});

t.test('the pending list is restored after a reload, and waits', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png', 'two.png', 'three.png'));
  await page.getByRole('button', { name: 'Remove two.png' }).click();
  await eventually(t, () => kept(page), 2, 'both are stored');
  await page.reload();
  await eventually(t, () => pending(page), ['one.png', 'three.png'], 'as they were');
  await upload(page).click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
  await eventually(t, () => kept(page), 0, 'the stored list is empty');
  await page.reload();
  await page.getByText('No images chosen yet').waitFor();
});

t.test('an upload pauses, and resumes where it was', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const { reached, release } = await hold(page, '**/api/uploads/*', { method: 'PATCH' });
  await choose(page, [await largePicture('large.png')]);
  await upload(page).click();
  await reached;
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/· Paused/).waitFor();
  await page.unroute('**/api/uploads/*');
  release();
  t.ok(await page.getByRole('button', { name: 'Uploading...' }).isDisabled());
  await findsNothingHere(t, page, 'a paused upload');
  await page.getByRole('button', { name: 'Resume' }).click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
});
