import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { choose, drop, onDisk, png, pngs, takesFiles } from '../testing/files.ts';
import { hold } from '../testing/hold.ts';
import { callInPage, naturalWidth } from '../testing/in-page.ts';
import { focused } from '../testing/keyboard.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const worked = 'Images uploaded successfully 📸';
const failed = 'Upload failed. Please try again.';

const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true });
const tiles = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('paragraph') });

/** The filenames of the pending files, in order. */
const pending = (page: Page) => page.getByRole('list', { name: 'Pending' }).locator('bdi').allInnerTexts();

const uploads = '**/api/images/upload';

async function storedNames(bearer: { authorization: string }): Promise<string[]> {
  const answer = await stage.app.inject({ url: '/api/images/', headers: bearer });
  return answer
    .json<{ images: { filename: string }[] }>()
    .images.map(({ filename }) => filename)
    .sort();
}

t.test('files chosen one after another add up, each with its preview', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png', 'two.png'));
  await choose(page, [await png('three.png')]);
  await eventually(t, () => pending(page), ['one.png', 'two.png', 'three.png'], 'in the order they were chosen');
  const previews = page.getByRole('list', { name: 'Pending' }).locator('img');
  const shown = async () => {
    const widths = await Promise.all((await previews.all()).map((one) => naturalWidth(one)));
    return widths.filter((width) => width > 0).length;
  };
  await eventually(t, shown, 3, 'three thumbnails are shown');
});

t.test('a running upload disables the button, which reads Uploading..., and success empties the list', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png', 'two.png'));
  const { release } = await hold(page, uploads);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(new URL(request.url()).pathname);
  });
  await upload(page).click();
  const running = page.getByRole('button', { name: 'Uploading...', exact: true });
  await running.waitFor();
  t.equal(await running.isDisabled(), true);
  t.equal(await upload(page).count(), 0);
  t.equal(await tiles(page).count(), 2, 'files being sent stay listed');
  release();
  await sawToast(t, page, worked);
  await eventually(t, () => pending(page), [], 'the list is empty');
  t.equal(await upload(page).isEnabled(), true);
  t.same(requests, ['/api/images/upload'], 'one request for both');
  t.same(await storedNames(account.bearer), ['one.png', 'two.png']);
});

t.test('an upload continues while another screen is open', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, [await png('one.png')]);
  const { release } = await hold(page, uploads);
  await upload(page).click();
  await page.getByRole('link', { name: 'View Images' }).click();
  await page.getByText('No images found.').waitFor();
  release();
  await sawToast(t, page, worked);
  await page.getByRole('img', { name: 'one.png' }).waitFor();
});

t.test('a partly refused upload shows both counts on the second line and keeps only the refused file', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  const text = { name: 'text.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no image') };
  await choose(page, [await png('good.png'), text, await png('fine.png')]);
  const answer = page.waitForResponse('**/api/images/upload');
  await upload(page).click();
  const { rejected } = await (await answer).json();
  t.equal((await answer).status(), 207);
  await sawToast(t, page, failed, '2 of 3 images uploaded, 1 failed. See why under it.');
  await eventually(t, () => pending(page), ['text.jpg'], 'the refused one stays');
  t.equal(await page.getByRole('button', { name: /^Retry/ }).count(), 0, 'it would be refused again');
  t.equal((await page.getByText(rejected[0].message).count()) > 0, true, `with its reason: ${rejected[0].message}`);
  t.same(await storedNames(account.bearer), ['fine.png', 'good.png']);
});

t.test('Cancel aborts an upload, and keeps the list and the focus', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, [await png('one.png')]);
  const { reached, release } = await hold(page, uploads);
  const sent = page.waitForRequest(uploads);
  const ended = new Promise((resolve) => {
    for (const event of ['requestfinished', 'requestfailed'] as const)
      page.on(event as 'requestfinished', async (request) => request === (await sent) && resolve(event));
  });
  await upload(page).click();
  await reached;
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await upload(page).waitFor();
  t.same(await pending(page), ['one.png']);
  await eventually(t, () => focused(page), 'Upload', 'the focus stays in the dock');
  release();
  t.equal(await ended, 'requestfailed');
  t.same(await storedNames(account.bearer), []);
});

t.test('files dropped from the desktop are listed and uploaded', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const [, paths] = await onDisk(t, await pngs('one.png', 'two.png'));
  await drop(page, paths, () => page.getByText('Drop to add').waitFor());
  await eventually(t, async () => (await pending(page)).sort(), ['one.png', 'two.png'], 'both are pending');
  t.equal(await page.getByText('Drop to add').count(), 0);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
});

t.test('a picture on the clipboard is pasted by keyboard', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await takesFiles(t, page);
  const { buffer } = await png('any.png');
  await callInPage(
    page,
    `async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
    }`,
    buffer.toString('base64'),
  );
  await page.keyboard.press('Control+V');
  await eventually(t, () => pending(page), ['pasted-1.png'], 'it is pending');
});
