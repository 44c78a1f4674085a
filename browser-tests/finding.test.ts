/** Searching with operators, sorting, renaming and describing. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { cardOf, galleryPath, listsOf, openGallery, pictureOf, shows } from './testing/gallery.ts';
import { openStage } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

const stage = await openStage(t, { pageSize: 3 });
const box = (page: Page) => page.getByRole('searchbox');
const sort = (page: Page) => page.getByRole('combobox', { name: 'Sort by' });
const query = (page: Page) => new URL(page.url()).search;
const hasFocus = async (element: Locator) => (await element.and(element.page().locator(':focus')).count()) === 1;
const phone = { viewport: { width: 390, height: 844 } };

t.test('a chosen order stands in the address, begins at page 1, and is kept by a reload and by Back', async (t) => {
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
  t.equal(lists.filter((list) => list === '?page=1&search=&sort=name&order=desc').length, 1, 'asked for once');
  await page.goBack();
  await shows(t, page, 'a.png', 'b.png', 'd.png');
  await page.goBack();
  await shows(t, page, 'b.png', 'd.png', 'a.png');
  t.equal(query(page), '');
});

t.test('each new order is said, and so is a search that finds as many as the last', async (t) => {
  const { page } = await openGallery(t, stage, ['b.png', 'd.png', 'a.png']);
  const said = page.getByRole('status').and(page.locator('main > p'));
  const words = () => said.textContent();
  await sort(page).selectOption({ label: 'Name, A to Z' });
  await eventually(t, words, 'Page 1 of 1, 3 images', 'the first order');
  await sort(page).selectOption({ label: 'Name, Z to A' });
  await eventually(t, words, 'Page 1 of 1, 3 images\u00a0', 'another text, so that it is spoken again');
  await box(page).fill('d.');
  await eventually(t, words, '1 image found', 'a search');
  await box(page).fill('a.');
  await eventually(t, words, '1 image found\u00a0', 'another one');
});

t.test('another order on a later page goes back to the first', async (t) => {
  const { page } = await openGallery(t, stage, ['c.png', 'b.png', 'a.png']);
  await page.goto(`${galleryPath}?page=2&search=png`);
  await sort(page).selectOption({ label: 'Oldest first' });
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  t.equal(query(page), '?search=png&sort=date&order=asc');
});

t.test('the tips under the box are read, and their examples pressed', async (t) => {
  const { page } = await openGallery(t, stage, ['kite.png', 'gull.png']);
  const tips = page.getByText('Search tips', { exact: true });
  const example = page.getByRole('button', { name: 'orientation:portrait' });
  t.equal(await example.isVisible(), false);
  await tips.focus();
  await page.keyboard.press('Enter');
  await example.waitFor();
  await box(page).fill('kite');
  await shows(t, page, 'kite.png');
  await page.getByRole('button', { name: 'type:png', exact: true }).click();
  await eventually(t, () => box(page).inputValue(), 'kite type:png', 'the box has the example');
  await shows(t, page, 'kite.png');
  t.equal(query(page), '?search=kite+type%3Apng');
  await example.press('Enter');
  await page.getByText('No images found.', { exact: true }).waitFor();
  await example.press('Enter');
  t.equal(await box(page).inputValue(), 'kite type:png orientation:portrait', 'added once');
  await findsNothing(t, page, 'search tips');
});

t.test('a value that says nothing is explained, and looked for as text', async (t) => {
  const { page } = await openGallery(t, stage, ['size:>abc.png', 'other.png']);
  await box(page).fill('size:>abc');
  await shows(t, page, 'size:>abc.png');
  const note = page.getByText('“size:>abc” was looked for as plain text');
  await note.waitFor();
  await findsNothing(t, page, 'search notes');
  await box(page).fill('other');
  await shows(t, page, 'other.png');
  t.equal(await note.count(), 0);
});

for (const [device, options] of [
  ['a desktop', {}],
  ['a phone', phone],
] as const) {
  t.test(`a picture is renamed and described in its details, on ${device}`, async (t) => {
    const { page, images } = await openGallery(t, stage, ['before.png', 'other.png'], options);
    await pictureOf(page, 'before.png').click();
    const dialog = page.getByRole('dialog');
    if (device === 'a phone') await dialog.getByRole('button', { name: 'Details', exact: true }).click();
    const open = dialog.getByRole('button', { name: 'Rename or describe' });
    await open.click();
    const name = dialog.getByRole('textbox', { name: 'Filename' });
    await eventually(t, () => hasFocus(name), true, 'ready to type');
    await findsNothing(t, page, 'the form');
    await name.press('Escape');
    await eventually(t, () => hasFocus(open), true, 'Esc closes the form alone');
    await open.click();
    await name.fill('after.png');
    await dialog.getByRole('textbox', { name: 'Description' }).pressSequentially('A [red] "kite" + sea');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await sawToast(t, page, 'Saved');
    await dialog.getByRole('heading', { name: 'after.png' }).waitFor();
    await dialog.getByRole('img', { name: 'A [red] "kite" + sea' }).first().waitFor();
    await findsNothing(t, page, 'a described picture');
    if (device === 'a desktop') {
      const { url } = images[0] ?? {};
      await dialog.getByText(`![A \\[red\\] "kite" + sea](${url})`, { exact: true }).waitFor();
      await dialog.getByText(`<img src="${url}" alt="A [red] &#34;kite&#34; + sea">`, { exact: true }).waitFor();
    }
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await shows(t, page, 'after.png', 'other.png');
    await cardOf(page, 'after.png').getByRole('img', { name: 'A [red] "kite" + sea' }).waitFor();
    await box(page).fill('red] "KITE');
    await shows(t, page, 'after.png');
  });
}

t.test('what the server refuses stands in the form, with what was typed', async (t) => {
  const { page } = await openGallery(t, stage, ['kept.png']);
  await pictureOf(page, 'kept.png').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Rename or describe' }).click();
  const name = dialog.getByRole('textbox', { name: 'Filename' });
  await name.fill('..');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'filename is empty' }).waitFor();
  t.equal(await name.inputValue(), '..');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await dialog.getByRole('heading', { name: 'kept.png' }).waitFor();
});
