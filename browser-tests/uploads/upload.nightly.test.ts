import { appendFile, rm, utimes } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { choose, largePicture, onDisk, png, pngs } from '../testing/files.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { notedToasts, sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const worked = 'Images uploaded successfully 📸';
const failed = 'Upload failed. Please try again.';

const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true });
const remove = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true });

/** The filenames of the pending files, in order. */
const pending = (page: Page) => page.getByRole('list', { name: 'Pending' }).locator('bdi').allInnerTexts();

async function storedNames(bearer: { authorization: string }): Promise<string[]> {
  const answer = await stage.app.inject({ url: '/api/images/', headers: bearer });
  return answer
    .json<{ images: { filename: string }[] }>()
    .images.map(({ filename }) => filename)
    .sort();
}

/** Records the text of a live region each time that it changes. */
const noteSpeech = `
  window.spoken = [];
  new MutationObserver((changes) => {
    const regions = changes.map(({ target }) => (target.closest ? target : target.parentElement)?.closest('[role="status"]'));
    for (const region of new Set(regions)) if (region) window.spoken.push(region.textContent.trim());
  }).observe(document, { childList: true, characterData: true, subtree: true });`;

t.test('the same file chosen again is pending once, and announced each time', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', {
    prepare: (context) => context.addInitScript(noteSpeech),
  });
  const [, paths] = await onDisk(t, [await png('one.png')]);
  await page.locator('input[type=file]').setInputFiles(paths);
  await eventually(t, () => pending(page), ['one.png'], 'it is listed');
  const known = 'Already in the list, 1 pending';
  const spoken = async () => (await page.evaluate<string[]>('window.spoken')).filter((text) => text === known).length;
  for (const times of [1, 2]) {
    await page.locator('input[type=file]').setInputFiles(paths);
    await eventually(t, spoken, times, `spoken ${times} times`);
  }
  t.same(await pending(page), ['one.png']);
});

t.test('files of any type can be chosen', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const input = page.locator('input[type=file]');
  t.equal(await input.getAttribute('accept'), null);
  t.not(await input.getAttribute('multiple'), null, 'several files can be chosen');
  await choose(page, [{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }]);
  await page.getByText('TXT', { exact: true }).waitFor();
});

t.test('each pending file can be removed', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png', 'two.png', 'three.png'));
  await remove(page, 'two.png').click();
  await eventually(t, () => pending(page), ['one.png', 'three.png'], 'by its button');
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  await eventually(t, focused, 'Remove three.png', 'the focus moves to the next');
  await page.keyboard.press('Delete');
  await eventually(t, () => pending(page), ['one.png'], 'by the Delete key');
});

t.test('a removed file is not uploaded', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('stays.png', 'goes.png'));
  await remove(page, 'goes.png').click();
  await upload(page).click();
  await sawToast(t, page, worked);
  t.same(await storedNames(account.bearer), ['stays.png']);
});

t.test('an upload without files shows an error and sends no request', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  let calls = 0;
  page.on('request', (request) => {
    if (request.method() !== 'GET') calls++;
  });
  await upload(page).click();
  await sawToast(t, page, 'Please select at least one image.');
  t.equal(calls, 0);
  t.equal(await upload(page).isEnabled(), true);
});

t.test('a failed upload shows an error and keeps the list', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png', 'two.png'));
  await page.route('**/api/images/upload', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await upload(page).click();
  await sawToast(t, page, failed);
  t.same(await pending(page), ['one.png', 'two.png']);
  t.equal(await page.getByText(/Not uploaded\./).count(), 2, 'each file shows that it was not uploaded');
  await upload(page).click();
  await sawToast(t, page, worked);
  await eventually(t, () => pending(page), [], 'the second try works');
  t.same(await storedNames(account.bearer), ['one.png', 'two.png']);
});

t.test('an upload without a connection fails and keeps the list', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, [await png('one.png')]);
  await page.route('**/api/images/upload', (route) => route.abort());
  await upload(page).click();
  await sawToast(t, page, failed, 'The connection was lost.');
  t.same(await pending(page), ['one.png']);
});

t.test('a wholly refused upload shows the reason on the second line', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, [{ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('these are words') }]);
  const answer = page.waitForResponse('**/api/images/upload');
  await upload(page).click();
  t.equal((await answer).status(), 415);
  const { message } = await (await answer).json();
  await sawToast(t, page, failed, message);
  t.same(await pending(page), ['notes.png']);
});

t.test('a session that ends before the upload opens the login and keeps the list for its owner', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, [await png('one.png')]);
  await stage.app.inject({ method: 'POST', url: '/api/auth/logout', headers: account.bearer });
  await upload(page).click();
  await page.waitForURL('**/login');
  const expired = 'Your session has expired. Please log in again.';
  await sawToast(t, page, expired);
  t.same(await notedToasts(page), [[expired]], 'one toast');
  await page.getByLabel('Email', { exact: true }).fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL('**/dashboard/upload');
  await eventually(t, () => pending(page), ['one.png'], 'the list is kept');
});

t.test('a file changed or deleted after it was chosen is refused, and the others are stored', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  const large = await largePicture('large.png');
  const [, paths] = await onDisk(t, [...(await pngs('one.png', 'changed.png', 'two.png')), large]);
  await page.locator('input[type=file]').setInputFiles(paths);
  await page.getByText('4 images ready to upload').waitFor();
  await appendFile(paths[1] ?? '', 'more');
  // Chromium compares whole seconds.
  await utimes(paths[1] ?? '', 2e9, 2e9);
  await rm(paths[3] ?? '');
  await upload(page).click();
  const receipt = page.getByRole('region', { name: 'Last upload' });
  await receipt.getByText('2 not uploaded').waitFor();
  const reason = 'The file was changed or moved. Choose it again.';
  const refused = async () => (await receipt.getByRole('listitem').allInnerTexts()).sort();
  t.same(await refused(), [`changed.png · ${reason}`, `large.png · ${reason}`]);
  t.same(await storedNames(account.bearer), ['one.png', 'two.png']);
});

t.test('on a phone a tap on the zone chooses files', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', { size: 'phone' });
  await choose(page, await pngs('one.png', 'two.png'));
  await upload(page).tap();
  await sawToast(t, page, worked);
});
