/** Selecting images, and copying, downloading and deleting them together. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { noise } from '../../server/testing/pictures.ts';
import { eventually } from '../testing/eventually.ts';
import { galleryPath, openGallery, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { areSelected, bar, bytesOf, longPress, selectButton, tick, tool, unpacked } from '../testing/selecting.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 4 });
const five = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'];
const four = five.slice(0, 4);
const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement.id || document.activeElement.innerText || document.activeElement.tagName',
  );
const open = (t: Parameters<typeof openGallery>[0], options = {}) => openGallery(t, stage, four, options);

const permissions = ['clipboard-read', 'clipboard-write'];
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

t.test('Select starts selection mode, a click toggles an image, and Cancel focuses Select', async (t) => {
  const { page } = await open(t);
  await selectButton(page).click();
  await areSelected(t, page, []);
  await pictureOf(page, 'a.png').click();
  await pictureOf(page, 'c.png').click();
  await areSelected(t, page, ['a.png', 'c.png']);
  t.equal(await page.getByRole('dialog').count(), 0, 'no image opens');
  await pictureOf(page, 'a.png').click();
  await areSelected(t, page, ['c.png']);
  t.equal(await selectButton(page).getAttribute('aria-pressed'), 'true');
  t.equal(await pictureOf(page, 'c.png').getAttribute('aria-pressed'), 'true');
  await tool(page, 'Cancel').click();
  await bar(page).waitFor({ state: 'detached' });
  await eventually(t, () => focused(page), 'select-images', 'the focus is on Select');
  await pictureOf(page, 'a.png').click();
  await page.getByRole('dialog', { name: 'a.png' }).waitFor();
});

t.test('Shift selects a range and Ctrl one image, even before selection mode', async (t) => {
  const { page } = await open(t);
  await pictureOf(page, 'a.png').click({ modifiers: ['Control'] });
  await areSelected(t, page, ['a.png']);
  await pictureOf(page, 'c.png').click({ modifiers: ['Shift'] });
  await areSelected(t, page, ['a.png', 'b.png', 'c.png']);
  await pictureOf(page, 'b.png').click({ modifiers: ['Control'] });
  await areSelected(t, page, ['a.png', 'c.png']);
});

t.test('the selection persists across pages and searches', async (t) => {
  const { account } = await withPictures(stage, ...five);
  const page = await openPage(t, stage, { account });
  await page.goto(galleryPath);
  await shows(t, page, ...four);
  await pictureOf(page, 'b.png').press('x');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await shows(t, page, 'e.png');
  await areSelected(t, page, [], 1);
  await pictureOf(page, 'e.png').click();
  await areSelected(t, page, ['e.png'], 2);
  await tool(page, 'Select all').click();
  await areSelected(t, page, ['e.png'], 2);
  await page.goBack();
  await shows(t, page, ...four);
  await areSelected(t, page, ['b.png'], 2);
  await tool(page, 'Select all').click();
  await areSelected(t, page, four, 5);
});

t.test('on a phone a resting finger selects, and then taps do', async (t) => {
  const { page } = await open(t, { size: 'phone' });
  await longPress(page, pictureOf(page, 'a.png'), () => areSelected(t, page, ['a.png']));
  await areSelected(t, page, ['a.png']);
  t.equal(await page.getByRole('dialog').count(), 0, 'the image does not open');
  await pictureOf(page, 'b.png').tap();
  await areSelected(t, page, ['a.png', 'b.png']);
  await tool(page, 'Cancel').tap();
  await bar(page).waitFor({ state: 'detached' });
  await pictureOf(page, 'b.png').tap({ position: { x: 20, y: 20 } });
  await page.getByRole('dialog', { name: 'b.png' }).waitFor();
});

t.test('links are copied in every markup, one line per image', async (t) => {
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

t.test('one image is downloaded as it is, several as one ZIP, also across pages', async (t) => {
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

t.test('one question names the number of images, then all are deleted', async (t) => {
  const { page, account } = await openGallery(t, stage, four);
  await select(t, page, 'a.png', 'b.png', 'd.png');
  await tool(page, 'Delete').click();
  await question(page).getByText('You are about to delete 3 images permanently.', { exact: true }).waitFor();
  await question(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await question(page).waitFor({ state: 'detached' });
  await areSelected(t, page, ['a.png', 'b.png', 'd.png']);
  await tool(page, 'Delete').click();
  await yes(page).click();
  await sawToast(t, page, '3 images deleted');
  await shows(t, page, 'c.png');
  await bar(page).waitFor({ state: 'detached' });
  const rest = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
  t.same(
    rest.json().images.map(({ filename }: { filename: string }) => filename),
    ['c.png'],
  );
});
