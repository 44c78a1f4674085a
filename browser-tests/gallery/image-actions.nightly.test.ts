import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { cardNames, cardOf, galleryPath, listsOf, openGallery, shows, withPictures } from '../testing/gallery.ts';
import { hold } from '../testing/hold.ts';
import { textOf } from '../testing/in-page.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { notedToasts, sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 3 });
const clipboard = ['clipboard-read', 'clipboard-write'];
const copyButton = (page: Page, name: string) => cardOf(page, name).getByRole('button', { name: /^Cop/ });
const deleteButton = (page: Page, name: string) => cardOf(page, name).getByRole('button', { name: /^Delet/ });
const question = (page: Page) => page.getByRole('dialog', { name: 'Are you sure?' });
const yes = (page: Page) => question(page).getByRole('button', { name: 'Yes, Delete', exact: true });

t.test('the link is copied even without a secure context', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png'], { permissions: clipboard });
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.reload();
  await shows(t, page, 'a.png');
  await copyButton(page, 'a.png').click();
  await eventually(t, () => textOf(copyButton(page, 'a.png')), 'Copied!', 'it reads Copied!');
  const secure = await page.context().newPage();
  await secure.goto('/login');
  t.equal(await secure.evaluate('navigator.clipboard.readText()'), images[0]?.url);
});

t.test('a deletion reads Deleting... until the card disappears, without a reload of the list', async (t) => {
  const { page, images, account } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png']);
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') paths.push(new URL(request.url()).pathname);
  });
  const { release } = await hold(page, '**/api/images/delete/*');
  const lists = listsOf(page);
  await deleteButton(page, 'b.png').click();
  await yes(page).click();
  await eventually(t, () => textOf(deleteButton(page, 'b.png')), 'Deleting...', 'it reads Deleting...');
  t.equal(await textOf(deleteButton(page, 'a.png')), 'Delete', 'the other buttons do not');
  t.same(await cardNames(page), ['a.png', 'b.png', 'c.png'], 'the card stays until then');
  release();
  await sawToast(t, page, 'Image deleted.');
  await shows(t, page, 'a.png', 'c.png');
  t.same(paths, [`/api/images/delete/${images[1]?.id}`]);
  t.same(lists, [], 'the list was not loaded again');
  const rest = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
  t.equal(rest.json().total, 2, 'it is deleted on the server');
});

t.test('a failed deletion shows an error and keeps the card', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await page.route('**/api/images/delete/*', (route) =>
    route.fulfill({ status: 500, json: { statusCode: 500, code: 'INTERNAL', error: 'x', message: 'Try later.' } }),
  );
  await deleteButton(page, 'a.png').click();
  await yes(page).click();
  await sawToast(t, page, 'Delete failed', 'Try later.');
  t.same(await cardNames(page), ['a.png']);
  await eventually(t, () => textOf(deleteButton(page, 'a.png')), 'Delete', 'the button is enabled again');
});

t.test('a deletion without a connection says that the connection was lost', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await page.route('**/api/images/delete/*', (route) => route.abort());
  await deleteButton(page, 'a.png').click();
  await yes(page).click();
  await sawToast(t, page, 'Delete failed', 'The connection was lost.');
  t.same(await cardNames(page), ['a.png']);
});

t.test('deleting the last card shows the empty gallery', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await deleteButton(page, 'a.png').click();
  await yes(page).click();
  await page.getByText('No images found.', { exact: true }).waitFor();
});

t.test('deleting the last image of the last page shows the page before', async (t) => {
  const { account } = await withPictures(stage, 'a.png', 'b.png', 'c.png', 'd.png');
  const page = await openPage(t, stage, { account });
  await page.goto(`${galleryPath}?page=2`);
  await shows(t, page, 'd.png');
  await deleteButton(page, 'd.png').click();
  await yes(page).click();
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  t.equal(new URL(page.url()).search, '');
  t.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0, 'a single page has no pager');
});

t.test('a page emptied by deletions does not claim an empty gallery while it reloads', async (t) => {
  const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png', 'g.png'];
  const { account } = await withPictures(stage, ...names);
  const page = await openPage(t, stage, { account });
  await page.goto(galleryPath);
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  const left = ['a.png', 'b.png', 'c.png'];
  const { reached, release } = await hold(page, '**/api/images/?page=1*');
  for (const name of ['a.png', 'b.png', 'c.png']) {
    await deleteButton(page, name).click();
    await yes(page).click();
    left.shift();
    await shows(t, page, ...left);
  }
  await reached;
  await page.getByRole('main').getByText('Loading', { exact: false }).first().waitFor({ state: 'attached' });
  t.equal(await page.getByText('No images found.', { exact: true }).count(), 0);
  release();
  await shows(t, page, 'd.png', 'e.png', 'f.png');
});

t.test('a deletion in an ended session opens the login', async (t) => {
  const { page, account } = await openGallery(t, stage, ['a.png']);
  await stage.app.inject({ method: 'POST', url: '/api/auth/logout', headers: account.bearer });
  await deleteButton(page, 'a.png').click();
  await yes(page).click();
  await page.waitForURL('**/login');
  const expired = 'Your session has expired. Please log in again.';
  await sawToast(t, page, expired);
  t.same(await notedToasts(page), [[expired]]);
});
