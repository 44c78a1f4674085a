import type { Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { eventually } from '../testing/eventually.ts';
import { twoColours } from '../testing/files.ts';
import { cardNames, cardOf, galleryPath, listsOf, openGallery, shows, withPictures } from '../testing/gallery.ts';
import { naturalWidth, textOf } from '../testing/in-page.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 3 });
const prev = (page: Page) => page.getByRole('button', { name: 'Prev', exact: true });
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
const search = (page: Page) => page.getByRole('searchbox');
const query = (page: Page) => new URL(page.url()).search;
const sort = (page: Page) => page.getByRole('combobox', { name: 'Sort by' });
const clipboard = ['clipboard-read', 'clipboard-write'];
const copyButton = (page: Page, name: string) => cardOf(page, name).getByRole('button', { name: /^Cop/ });
const deleteButton = (page: Page, name: string) => cardOf(page, name).getByRole('button', { name: /^Delet/ });
const question = (page: Page) => page.getByRole('dialog', { name: 'Are you sure?' });

t.test('a card shows the image, its filename, the local date and its buttons', async (t) => {
  const account = await signIn(stage.app);
  const [image] = await storeFiles(stage.app, account, [{ name: 'night walk.png', bytes: await twoColours(300, 200) }]);
  const { page } = await openSignedIn(t, stage, galleryPath, { account });
  const card = page.getByRole('listitem').filter({ hasText: 'night walk.png' });
  await card.waitFor();
  const loaded = () => naturalWidth(card.getByRole('img', { name: 'night walk.png' }));
  await eventually(t, async () => (await loaded()) > 0, true, 'the thumbnail is loaded');
  const date = await page.evaluate(`new Date('${image?.uploaded_at}').toLocaleDateString()`);
  await card.getByText(`Uploaded: ${date}`).waitFor();
  t.equal(await card.getByRole('button', { name: 'Copy', exact: true }).count(), 1);
  t.equal(await card.getByRole('button', { name: 'Delete', exact: true }).count(), 1);
});

const seven = ['7.png', '6.png', '5.png', '4.png', '3.png', '2.png', '1.png'];

t.test('the pager turns pages, is disabled at both ends, and loads each page', async (t) => {
  const { account } = await withPictures(stage, ...seven);
  const page = await openPage(t, stage, { account });
  const lists = listsOf(page);
  await page.goto(galleryPath);
  await shows(t, page, '7.png', '6.png', '5.png');
  t.equal(await prev(page).isDisabled(), true, 'Prev on page 1');
  t.equal(await next(page).isDisabled(), false);
  await next(page).click();
  await shows(t, page, '4.png', '3.png', '2.png');
  t.equal(await prev(page).isDisabled(), false);
  t.equal(await next(page).isDisabled(), false);
  await next(page).click();
  await shows(t, page, '1.png');
  t.equal(await next(page).isDisabled(), true, 'Next on the last');
  await prev(page).click();
  await shows(t, page, '4.png', '3.png', '2.png');
  const ofSecond = () => lists.filter((list) => list === '?page=2&search=').length;
  await eventually(t, () => ofSecond() >= 2, true, 'going back loads the page again');
});

t.test('deleting images one by one and turning the page skips none', async (t) => {
  const { account } = await withPictures(stage, ...seven);
  const { page } = await openSignedIn(t, stage, galleryPath, { account });
  await shows(t, page, '7.png', '6.png', '5.png');
  for (const name of ['7.png', '5.png']) {
    await deleteButton(page, name).click();
    await question(page).getByRole('button', { name: 'Yes, Delete' }).click();
    await cardOf(page, name).waitFor({ state: 'detached' });
  }
  await shows(t, page, '6.png');
  await next(page).click();
  await shows(t, page, '4.png', '3.png', '2.png');
  await page.reload();
  await shows(t, page, '4.png', '3.png', '2.png');
  // In the overlay too.
  const overlay = page.getByRole('dialog');
  await page.getByRole('main').getByRole('button', { name: '4.png', exact: true }).click();
  await overlay.getByRole('button', { name: 'Delete', exact: true }).click();
  await question(page).getByRole('button', { name: 'Yes, Delete' }).click();
  for (const name of ['3.png', '2.png', '1.png']) {
    await overlay.getByRole('img', { name, exact: true }).first().waitFor();
    await page.keyboard.press('ArrowRight');
  }
});

t.test('history skips no image after further deletions', async (t) => {
  const { account } = await withPictures(stage, '9.png', '8.png', ...seven);
  const { page } = await openSignedIn(t, stage, galleryPath, { account });
  const remove = async (name: string) => {
    await deleteButton(page, name).click();
    await question(page).getByRole('button', { name: 'Yes, Delete' }).click();
    await cardOf(page, name).waitFor({ state: 'detached' });
  };
  await shows(t, page, '9.png', '8.png', '7.png');
  await remove('9.png');
  await next(page).click();
  await shows(t, page, '6.png', '5.png', '4.png');
  await page.goBack();
  await shows(t, page, '8.png', '7.png', '6.png');
  await remove('8.png');
  await remove('7.png');
  await page.goForward();
  await shows(t, page, '5.png', '4.png', '3.png');
  t.equal(query(page), '?page=2&deleted=2');
});

t.test('a new search goes to page 1, loads, and is in the address', async (t) => {
  const { account } = await withPictures(stage, 'Cat-2.png', 'dog.png', 'fish.png', 'cat-1.png');
  const page = await openPage(t, stage, { account });
  await page.goto(`${galleryPath}?page=2`);
  await shows(t, page, 'cat-1.png');
  const lists = listsOf(page);
  await search(page).fill('cat');
  await shows(t, page, 'Cat-2.png', 'cat-1.png');
  t.same(lists, ['?page=1&search=cat']);
  t.equal(query(page), '?search=cat');
  t.equal(await next(page).count(), 0, 'the results fit one page');
  await page.reload();
  await shows(t, page, 'Cat-2.png', 'cat-1.png');
  t.equal(await search(page).inputValue(), 'cat', 'the field shows the search');
});

t.test('a gallery that fails to load shows an error, and Retry loads it', async (t) => {
  const { account } = await withPictures(stage, 'cat.png');
  const page = await openPage(t, stage, { account });
  await page.route('**/api/images/?*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await page.goto(galleryPath);
  await sawToast(t, page, 'Failed to load images');
  t.equal(await page.getByText('No images found.').count(), 0, 'it does not claim to be empty');
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await shows(t, page, 'cat.png');
});

t.test('the order is in the address, starts at page 1, and survives a reload and Back', async (t) => {
  const { page } = await openGallery(t, stage, ['b.png', 'd.png', 'a.png']);
  await sort(page).selectOption({ label: 'Name, A to Z' });
  await shows(t, page, 'a.png', 'b.png', 'd.png');
  t.equal(query(page), '?sort=name&order=asc');
  await sort(page).selectOption({ label: 'Name, Z to A' });
  await shows(t, page, 'd.png', 'b.png', 'a.png');
  const lists = listsOf(page);
  await page.reload();
  await shows(t, page, 'd.png', 'b.png', 'a.png');
  t.equal(await sort(page).inputValue(), 'name-desc');
  t.equal(lists.filter((list) => list === '?page=1&search=&sort=name&order=desc').length, 1, 'loaded once');
  await page.goBack();
  await shows(t, page, 'a.png', 'b.png', 'd.png');
  await page.goBack();
  await shows(t, page, 'b.png', 'd.png', 'a.png');
  t.equal(query(page), '');
});

t.test('Copy copies the link and reads Copied! for 2000 ms', async (t) => {
  const { account, images } = await withPictures(stage, 'a.png', 'b.png');
  const page = await openPage(t, stage, { account, permissions: clipboard });
  await page.clock.install();
  await page.goto(galleryPath);
  await shows(t, page, 'a.png', 'b.png');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await copyButton(page, 'b.png').click();
  const reads = () => textOf(copyButton(page, 'b.png'));
  await eventually(t, reads, 'Copied!', 'it reads Copied!');
  t.equal(await page.evaluate('navigator.clipboard.readText()'), images[1]?.url);
  t.equal(await textOf(copyButton(page, 'a.png')), 'Copy', 'the other buttons do not');
  await page.clock.runFor(1_990);
  t.equal(await reads(), 'Copied!', 'still after 1990 ms');
  await page.clock.runFor(10);
  await eventually(t, reads, 'Copy', 'no longer after 2000 ms');
});

t.test('a deletion asks first, and Cancel deletes nothing', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  const deletions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions.push(request.url());
  });
  const dismissals: [string, () => Promise<void>][] = [
    ['Cancel', () => question(page).getByRole('button', { name: 'Cancel', exact: true }).click()],
    ['Esc', () => page.keyboard.press('Escape')],
    ['a click outside', () => page.mouse.click(20, 880)],
  ];
  for (const [name, dismiss] of dismissals) {
    await deleteButton(page, 'a.png').click();
    await question(page).waitFor();
    t.equal(await textOf(question(page).getByRole('heading')), 'Are you sure?');
    await question(page).getByText('You are about to delete this image permanently.', { exact: true }).waitFor();
    t.same(await question(page).getByRole('button').allInnerTexts(), ['Cancel', 'Yes, Delete']);
    await dismiss();
    await question(page).waitFor({ state: 'detached' });
    t.same(await cardNames(page), ['a.png', 'b.png'], `${name} leaves the cards`);
    const focused = () =>
      page.evaluate("document.activeElement.textContent + document.activeElement.getAttribute('aria-describedby')");
    const described = await deleteButton(page, 'a.png').getAttribute('aria-describedby');
    await eventually(t, focused, `Delete${described}`, `after ${name} the focus is back on Delete`);
  }
  t.same(deletions, []);
});
