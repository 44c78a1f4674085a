/** Searching with operators, sorting, renaming and describing images. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { galleryPath, openGallery, pictureOf, shows } from '../testing/gallery.ts';
import { openStage } from '../testing/stage.ts';
import { renames } from '../testing/tasks/rename.ts';

const stage = await openStage(t, { pageSize: 3 });
const box = (page: Page) => page.getByRole('searchbox');
const sort = (page: Page) => page.getByRole('combobox', { name: 'Sort by' });
const query = (page: Page) => new URL(page.url()).search;

t.test('a new order is announced, and so is a search with the same count as the last', async (t) => {
  const { page } = await openGallery(t, stage, ['b.png', 'd.png', 'a.png']);
  const said = page.getByRole('status').and(page.locator('main > p'));
  const words = () => said.textContent();
  await sort(page).selectOption({ label: 'Name, A to Z' });
  await eventually(t, words, 'Page 1 of 1, 3 images', 'the first order');
  await sort(page).selectOption({ label: 'Name, Z to A' });
  await eventually(t, words, 'Page 1 of 1, 3 images\u00a0', 'a different text, so that it is read again');
  await box(page).fill('d.');
  await eventually(t, words, '1 image found', 'a search');
  await box(page).fill('a.');
  await eventually(t, words, '1 image found\u00a0', 'another one');
});

t.test('a new order on a later page goes to page 1', async (t) => {
  const { page } = await openGallery(t, stage, ['c.png', 'b.png', 'a.png']);
  await page.goto(`${galleryPath}?page=2&search=png`);
  await sort(page).selectOption({ label: 'Oldest first' });
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  t.equal(query(page), '?search=png&sort=date&order=asc');
});

t.test('the search tips open, and pressing an example adds it to the search', async (t) => {
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
  await eventually(t, () => box(page).inputValue(), 'kite type:png', 'the field has the example');
  await shows(t, page, 'kite.png');
  t.equal(query(page), '?search=kite+type%3Apng');
  await example.press('Enter');
  await page.getByText('No images found.', { exact: true }).waitFor();
  await example.press('Enter');
  t.equal(await box(page).inputValue(), 'kite type:png orientation:portrait', 'added once');
  await findsNothing(t, page, 'search tips');
});

t.test('an invalid operator value is explained and searched as text', async (t) => {
  const { page } = await openGallery(t, stage, ['size:>abc.png', 'other.png']);
  await box(page).fill('size:>abc');
  await shows(t, page, 'size:>abc.png');
  const note = page.getByText('Searched for “size:>abc” as plain text');
  await note.waitFor();
  await findsNothing(t, page, 'search notes');
  await box(page).fill('other');
  await shows(t, page, 'other.png');
  t.equal(await note.count(), 0);
});

t.test('an image is renamed and described in its details (phone)', (t) =>
  renames(t, stage, { viewport: { width: 390, height: 844 } }, findsNothing),
);

t.test('a refused edit shows the error in the form and keeps the input', async (t) => {
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
