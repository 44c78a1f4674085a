/** Actions for the selected images. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { cardNames, cardOf, galleryPath, openGallery, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { hold } from '../testing/hold.ts';
import { textOf } from '../testing/in-page.ts';
import { areSelected, tick, tool } from '../testing/selecting.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 4 });
const permissions = ['clipboard-read', 'clipboard-write'];
const four = ['a.png', 'b.png', 'c.png', 'd.png'];
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');
const question = (page: Page) => page.getByRole('dialog', { name: 'Are you sure?' });
const yes = (page: Page) => question(page).getByRole('button', { name: 'Yes, Delete', exact: true });

async function select(t: Test, page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await tick(page, name).check();
  await areSelected(t, page, names);
}

t.test('the menu of markups works by keyboard, and Esc closes only the menu', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png'], { permissions });
  await select(t, page, 'a.png');
  await tool(page, 'Copy links').press('Enter');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await eventually(t, focused, 'Link', 'it starts on the first item');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await eventually(t, focused, 'Copy links', 'the focus returns');
  await areSelected(t, page, ['a.png']);
  await page.keyboard.press('Enter');
  await eventually(t, focused, 'Link', 'again');
  await page.keyboard.press('End');
  await eventually(t, focused, 'Replace links…', 'End goes to the last item');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await sawToast(t, page, '1 link copied');
  t.equal(await copied(page), `[img]${images[0]?.url}[/img]`);
});

t.test('deleting a single selected image asks with the text for one image', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await select(t, page, 'b.png');
  await tool(page, 'Delete').click();
  await question(page).getByText('You are about to delete this image permanently.', { exact: true }).waitFor();
  await yes(page).click();
  await sawToast(t, page, 'Image deleted.');
  await shows(t, page, 'a.png');
});

t.test('at most three images are deleted at once, and each card shows Deleting...', async (t) => {
  const { page } = await openGallery(t, stage, four);
  const held: (() => void)[] = [];
  await page.route('**/api/images/delete/*', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await select(t, page, ...four);
  await tool(page, 'Delete').click();
  await yes(page).click();
  await eventually(t, () => held.length, 3, 'three deletions are running');
  const remove = () => textOf(cardOf(page, 'd.png').getByRole('button', { name: /^Delet/ }));
  t.equal(await remove(), 'Deleting...');
  held[0]?.();
  await eventually(t, () => held.length, 4, 'the next starts when one is done');
  for (const go of held) go();
  await page.getByText('No images found.', { exact: true }).waitFor();
});

t.test('deleting the whole last page shows the page before', async (t) => {
  const { account } = await withPictures(stage, ...four, 'e.png');
  const page = await openPage(t, stage, { account });
  await page.goto(galleryPath);
  await shows(t, page, ...four);
  await tick(page, 'a.png').check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await shows(t, page, 'e.png');
  await pictureOf(page, 'e.png').click();
  await areSelected(t, page, ['e.png'], 2);
  await tool(page, 'Delete').click();
  await yes(page).click();
  await sawToast(t, page, '2 images deleted');
  await shows(t, page, 'b.png', 'c.png', 'd.png');
  await tool(page, 'Cancel').waitFor({ state: 'detached' });
  t.same(await cardNames(page), ['b.png', 'c.png', 'd.png']);
  t.equal(new URL(page.url()).search, '');
});

t.test('deleting the whole first page does not claim an empty gallery while it reloads', async (t) => {
  const { account } = await withPictures(stage, ...four, 'e.png');
  const page = await openPage(t, stage, { account });
  await page.goto(galleryPath);
  await shows(t, page, ...four);
  await select(t, page, ...four);
  await tool(page, 'Delete').click();
  const { reached, release } = await hold(page, /\/api\/images\/\?page=1/);
  await yes(page).click();
  await reached;
  await shows(t, page);
  await page.getByRole('status').getByText('Loading images', { exact: true }).waitFor();
  t.equal(await page.getByText('No images found.', { exact: true }).count(), 0);
  release();
  await shows(t, page, 'e.png');
});

t.test('a card deleted by its own button leaves the selection', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await select(t, page, 'a.png', 'b.png');
  await cardOf(page, 'a.png').getByRole('button', { name: 'Delete', exact: true }).click();
  await yes(page).click();
  await shows(t, page, 'b.png');
  await areSelected(t, page, ['b.png']);
});

t.test('images that could not be deleted stay selected, with the reason', async (t) => {
  const { page, images } = await openGallery(t, stage, four);
  const stubborn = images.find(({ filename }) => filename === 'b.png');
  await page.route(`**/api/images/delete/${stubborn?.id}`, (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, code: 'X', error: 'x', message: 'Try later.' } }),
  );
  await select(t, page, 'a.png', 'b.png', 'c.png');
  await tool(page, 'Delete').click();
  await yes(page).click();
  await sawToast(t, page, 'Delete failed', "Couldn't delete 1 of 3 images.");
  await shows(t, page, 'b.png', 'd.png');
  await areSelected(t, page, ['b.png']);
  t.equal(await cardOf(page, 'b.png').getByText('Try later.', { exact: true }).count(), 1);
  await page.unroute(`**/api/images/delete/${stubborn?.id}`);
  await tool(page, 'Delete').click();
  await yes(page).click();
  await shows(t, page, 'd.png');
});
