/** The pending list across pages and accounts, its part sizes, and the receipt. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { choose, damaged, largePicture, png, pngs } from '../testing/files.ts';
import { hold } from '../testing/hold.ts';
import { kept } from '../testing/kept-files.ts';
import { logIn } from '../testing/log-in.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

t.setTimeout(300_000);

const stage = await openStage(t);

const pending = (page: Page) => page.getByRole('list', { name: 'Pending' }).locator('bdi').allInnerTexts();
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true });

t.test('a logout deletes the stored list, even from another page', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png'));
  await eventually(t, () => kept(page), 1, 'the list is stored');
  await page.goto('/dashboard/images');
  await page.getByRole('heading', { name: 'Image Gallery' }).waitFor();
  await page.route('**/*.js', (route) => route.abort());
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await eventually(t, () => kept(page), 0, 'it is deleted, even if no script can be loaded');
});

t.test('after a logout, the next account in the same page has its list stored too', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('mine.png'));
  await eventually(t, () => kept(page), 1, 'the list is stored');
  await page.getByRole('button', { name: 'Logout' }).click();
  await logIn(page, await signIn(stage.app));
  await choose(page, await pngs('theirs.png'));
  await eventually(t, () => kept(page), 1, 'the next list is stored');
  await page.reload();
  await eventually(t, () => pending(page), ['theirs.png'], 'it is restored');
});

t.test('one account’s pending list is never shown to another', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('mine.png'));
  await eventually(t, () => kept(page), 1, 'the list is stored');
  const other = await signIn(stage.app);
  const session = ({ token, id }: typeof other) =>
    `localStorage.setItem('access_token', '${token}'); localStorage.setItem('user', JSON.stringify({ id: '${id}' }))`;
  await page.evaluate(session(other));
  await page.reload();
  await choose(page, await pngs('theirs.png'));
  await eventually(t, () => kept(page), 2, 'both lists are stored');
  await eventually(t, () => pending(page), ['theirs.png'], 'only the second list is shown');
  await page.evaluate(session(account));
  await page.reload();
  await eventually(t, () => pending(page), ['mine.png'], 'the first list is restored for its owner');
});

t.test('the part size shrinks if a proxy refuses larger parts', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  const sizes: number[] = [];
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const length = Number((await route.request().allHeaders())['content-length']);
    const size = Number.isNaN(length) ? (route.request().postDataBuffer()?.length ?? 0) : length;
    sizes.push(size);
    if (size > 1_100_000) await route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Too large</h1>' });
    else await route.continue();
  });
  await choose(page, [await largePicture('large.png')]);
  await upload(page).click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
  t.ok(sizes.filter((size) => size > 1_100_000).length <= 6, `sizes: ${sizes}`);
  const list = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
  t.match(list.json(), { total: 1, images: [{ filename: 'large.png' }] });
});

t.test('large files that end together load the usage once', async (t) => {
  const page = await openPage(t, stage, { account: await signIn(stage.app) });
  await page.clock.install();
  await page.goto('/dashboard/upload');
  const parts: string[] = [];
  const usages: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') parts.push(request.url());
    if (request.url().endsWith('/api/images/usage')) usages.push(request.url());
  });
  const { release } = await hold(page, '**/api/uploads/*', { method: 'PATCH' });
  await choose(page, [await largePicture('one.png'), await largePicture('two.png')]);
  await upload(page).click();
  await eventually(t, () => parts.length, 2, 'both are being sent');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  usages.length = 0;
  release();
  await sawToast(t, page, 'Images uploaded successfully 📸');
  t.same(usages, [], 'not with each file');
  await page.clock.runFor(500);
  await eventually(t, () => usages.length, 1, 'once for both');
});

t.test('the receipt lists what was stored, already there, and refused with its reason', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const known = await png('known.png');
  await choose(page, [known]);
  await upload(page).click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
  await choose(page, [known, await png('new.png'), await damaged('broken.jpg')]);
  await upload(page).click();
  const receipt = page.getByRole('region', { name: 'Last upload' });
  await receipt.getByText('1 not uploaded').waitFor();
  t.match(await receipt.textContent(), /1 stored1 already there1 not uploaded/);
  t.match(await receipt.getByRole('listitem').allInnerTexts(), [/broken\.jpg · The image is damaged/]);
  await page.getByText('1 of them was already there').waitFor({ state: 'attached' });
  await findsNothing(t, page, 'the receipt');
  await receipt.getByRole('button', { name: 'Dismiss' }).click();
  await receipt.waitFor({ state: 'detached' });
});

t.test('Undo restores removed files to their positions, and they are uploaded', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const names = ['one.png', 'two.png', 'three.png'];
  await choose(page, await pngs(...names));
  await eventually(t, () => pending(page), names, 'they are listed');
  await page.getByRole('button', { name: 'Remove two.png' }).press('Enter');
  await sawToast(t, page, 'Removed two.png');
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  t.same(await pending(page), ['one.png', 'three.png']);
  await page.keyboard.press('Control+z');
  await eventually(t, () => pending(page), names, 'at its position');
  await undo.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await sawToast(t, page, 'Removed 3 images');
  t.same(await pending(page), []);
  await undo.press('Enter');
  await eventually(t, () => pending(page), names, 'all of them');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
});
