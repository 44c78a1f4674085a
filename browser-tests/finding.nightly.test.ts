/** Searching with operators, sorting, renaming and describing. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { galleryPath, openGallery, pictureOf, shows } from './testing/gallery.ts';
import { openStage } from './testing/stage.ts';
import { renames } from './testing/tasks/rename.ts';

const stage = await openStage(t, { pageSize: 3 });
const box = (page: Page) => page.getByRole('searchbox');
const sort = (page: Page) => page.getByRole('combobox', { name: 'Sort by' });
const query = (page: Page) => new URL(page.url()).search;

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

t.test('a picture is renamed and described in its details, on a phone', (t) =>
  renames(t, stage, { viewport: { width: 390, height: 844 } }, findsNothing),
);

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
