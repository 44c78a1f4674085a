/** What is done with the images that are selected. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../server/testing/account.ts';
import { storeFiles } from '../server/testing/form.ts';
import { noise } from '../server/testing/pictures.ts';
import { eventually } from './testing/eventually.ts';
import { cardNames, cardOf, galleryPath, openGallery, pictureOf, shows, withPictures } from './testing/gallery.ts';
import { hold } from './testing/hold.ts';
import { textOf } from './testing/in-page.ts';
import { areSelected, bar, bytesOf, tick, tool, unpacked } from './testing/selecting.ts';
import { openPage, openSignedIn, openStage } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

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

async function downloadBy(page: Page) {
  const [download] = await Promise.all([page.waitForEvent('download'), tool(page, 'Download').click()]);
  return download;
}

t.test('links are copied in every form, a line for each image', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png', '*b*.png'], { permissions });
  await select(t, page, 'a.png', '*b*.png');
  const [a, b] = images.map(({ url }) => url);
  const forms: [string, string][] = [
    ['Link', `${a}\n${b}`],
    ['Markdown', `![a.png](${a})\n![\\*b\\*.png](${b})`],
    ['HTML', `<img src="${a}" alt="a.png">\n<img src="${b}" alt="*b*.png">`],
    ['BBCode', `[img]${a}[/img]\n[img]${b}[/img]`],
  ];
  for (const [name, text] of forms) {
    await page.evaluate("navigator.clipboard.writeText('')");
    await tool(page, 'Copy links').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await eventually(t, () => copied(page), text, name);
    await sawToast(t, page, '2 links copied');
  }
});

t.test('the menu of forms goes by keys, and Esc closes it alone', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png'], { permissions });
  await select(t, page, 'a.png');
  await tool(page, 'Copy links').press('Enter');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await eventually(t, focused, 'Link', 'it begins on the first');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await eventually(t, focused, 'Copy links', 'the focus is back');
  await areSelected(t, page, ['a.png']);
  await page.keyboard.press('Enter');
  await eventually(t, focused, 'Link', 'again');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await sawToast(t, page, '1 link copied');
  t.equal(await copied(page), `[img]${images[0]?.url}[/img]`);
});

t.test('one image is downloaded as it is, several as one ZIP, also from other pages', async (t) => {
  const account = await signIn(stage.app);
  const bytes = new Map<string, Buffer>();
  for (const name of ['e.jpg', 'd.jpg', 'c.jpg', 'same.jpg']) {
    bytes.set(name, await noise(200, 100 + bytes.size));
    await storeFiles(stage.app, account, [{ name, bytes: bytes.get(name) ?? '' }]);
  }
  bytes.set('same (2).jpg', await noise(300, 300));
  await storeFiles(stage.app, account, [{ name: 'same.jpg', bytes: bytes.get('same (2).jpg') ?? '' }]);
  const { page } = await openSignedIn(t, stage, galleryPath, { account });
  await shows(t, page, 'same.jpg', 'same.jpg', 'c.jpg', 'd.jpg');
  await tick(page, 'd.jpg').check();
  const single = await downloadBy(page);
  t.equal(single.suggestedFilename(), 'd.jpg');
  t.ok((await bytesOf(single)).equals(bytes.get('d.jpg') ?? Buffer.of()));
  await tick(page, 'same.jpg').nth(1).check();
  await tick(page, 'same.jpg').nth(0).check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await shows(t, page, 'e.jpg');
  await tick(page, 'e.jpg').check();
  const several = await downloadBy(page);
  t.equal(several.suggestedFilename(), 'images.zip');
  const files = await unpacked(several);
  t.same([...files.keys()].sort(), ['d.jpg', 'e.jpg', 'same (2).jpg', 'same.jpg']);
  for (const [name, file] of files) t.ok(file.equals(bytes.get(name) ?? Buffer.of()), name);
  await areSelected(t, page, ['e.jpg'], 4);
});

t.test('one question says how many, then all of them go', async (t) => {
  const { page, account } = await openGallery(t, stage, four);
  await select(t, page, 'a.png', 'b.png', 'd.png');
  await tool(page, 'Delete').click();
  await question(page).getByText('You are about to delete 3 images permanently.', { exact: true }).waitFor();
  await question(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await question(page).waitFor({ state: 'detached' });
  await areSelected(t, page, ['a.png', 'b.png', 'd.png']);
  await tool(page, 'Delete').click();
  await yes(page).click();
  await sawToast(t, page, '3 images deleted.');
  await shows(t, page, 'c.png');
  await bar(page).waitFor({ state: 'detached' });
  const rest = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
  t.same(
    rest.json().images.map(({ filename }: { filename: string }) => filename),
    ['c.png'],
  );
});

t.test('a single selected image is asked for in the fixed words', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await select(t, page, 'b.png');
  await tool(page, 'Delete').click();
  await question(page).getByText('You are about to delete this image permanently.', { exact: true }).waitFor();
  await yes(page).click();
  await sawToast(t, page, 'Image deleted.');
  await shows(t, page, 'a.png');
});

t.test('what could not be deleted stays selected, with its reason', async (t) => {
  const { page, images } = await openGallery(t, stage, four);
  const stubborn = images.find(({ filename }) => filename === 'b.png');
  await page.route(`**/api/images/delete/${stubborn?.id}`, (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, code: 'X', error: 'x', message: 'Try later.' } }),
  );
  await select(t, page, 'a.png', 'b.png', 'c.png');
  await tool(page, 'Delete').click();
  await yes(page).click();
  await sawToast(t, page, 'Delete failed', '1 of 3 images could not be deleted.');
  await shows(t, page, 'b.png', 'd.png');
  await areSelected(t, page, ['b.png']);
  t.equal(await cardOf(page, 'b.png').getByText('Try later.', { exact: true }).count(), 1);
  await page.unroute(`**/api/images/delete/${stubborn?.id}`);
  await tool(page, 'Delete').click();
  await yes(page).click();
  await shows(t, page, 'd.png');
});

t.test('at most three are deleted at a time, and each card says so meanwhile', async (t) => {
  const { page } = await openGallery(t, stage, four);
  const held: (() => void)[] = [];
  await page.route('**/api/images/delete/*', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await select(t, page, ...four);
  await tool(page, 'Delete').click();
  await yes(page).click();
  await eventually(t, () => held.length, 3, 'three are under way');
  const remove = () => textOf(cardOf(page, 'd.png').getByRole('button', { name: /^Delet/ }));
  t.equal(await remove(), 'Deleting...');
  held[0]?.();
  await eventually(t, () => held.length, 4, 'the next begins when one is done');
  for (const go of held) go();
  await page.getByText('No images found.', { exact: true }).waitFor();
});

t.test('a last page that was deleted whole shows the page before', async (t) => {
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
  await sawToast(t, page, '2 images deleted.');
  await shows(t, page, 'b.png', 'c.png', 'd.png');
  await tool(page, 'Cancel').waitFor({ state: 'detached' });
  t.same(await cardNames(page), ['b.png', 'c.png', 'd.png']);
  t.equal(new URL(page.url()).search, '');
});

t.test('a first page that was deleted whole is not said to be empty before the next ones are here', async (t) => {
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
