/** The overlay continues across gallery pages, by keyboard, buttons, strip and touch. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { picture } from '../../server/testing/pictures.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { galleryPath, openGallery, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { hold } from '../testing/hold.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { openPage, openSignedIn, openStage, type PageOptions } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';
import { fingers, move } from '../testing/touch.ts';

const stage = await openStage(t, { pageSize: 3 });
const five = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'];
const overlay = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const shown = (page: Page, name: string) => overlay(page, name).getByRole('img', { name, exact: true });
const isShown = (t: Test, page: Page, name: string) =>
  eventually(
    t,
    async () => (await shown(page, name).count()) === 1 && (await naturalWidth(shown(page, name))),
    64,
    name,
  );
const focusedId = (page: Page) => page.evaluate<string>('document.activeElement.id');
const query = (page: Page) => new URL(page.url()).search;

async function openFirst(t: Test, options: PageOptions = {}) {
  const { account } = await withPictures(stage, ...five);
  const page = await openPage(t, stage, { account, ...options });
  await page.goto(galleryPath);
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  return page;
}

t.test('Previous continues on the page before', async (t) => {
  const page = await openFirst(t);
  await page.goto(`${galleryPath}?page=2`);
  await shows(t, page, 'd.png', 'e.png');
  await pictureOf(page, 'd.png').click();
  await isShown(t, page, 'd.png');
  await page.keyboard.press('ArrowLeft');
  await isShown(t, page, 'c.png');
  await page.keyboard.press('Home');
  await isShown(t, page, 'a.png');
  const previous = page.getByRole('button', { name: 'Previous image' });
  t.equal(await previous.getAttribute('aria-disabled'), 'true');
  await page.keyboard.press('End');
  await isShown(t, page, 'c.png');
  await overlay(page, 'c.png').getByRole('button', { name: 'Close' }).click();
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  const id = await pictureOf(page, 'c.png').getAttribute('id');
  await eventually(t, () => focusedId(page), id, 'the focus is on its card');
});

t.test('a page that fails to load shows an error, and the picture stays', async (t) => {
  const { account } = await withPictures(stage, ...five);
  const page = await openPage(t, stage, { account });
  await page.route('**/api/images/?page=2*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(galleryPath);
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  await pictureOf(page, 'c.png').click();
  await isShown(t, page, 'c.png');
  await page.keyboard.press('ArrowRight');
  await sawToast(t, page, 'Failed to load images');
  await isShown(t, page, 'c.png');
  await page.unroute('**/api/images/?page=2*');
  await page.keyboard.press('ArrowRight');
  await isShown(t, page, 'd.png');
});

t.test('closing the overlay cancels the page that it waits for', async (t) => {
  const { account } = await withPictures(stage, ...five);
  const page = await openPage(t, stage, { account });
  const { reached, release } = await hold(page, '**/api/images/?page=2*');
  await page.goto(galleryPath);
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  await pictureOf(page, 'c.png').click();
  await isShown(t, page, 'c.png');
  await page.keyboard.press('ArrowRight');
  await reached;
  await page.locator('dialog [aria-busy="true"]').waitFor();
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/images/?page=2'));
  await overlay(page, 'c.png').getByRole('button', { name: 'Close' }).click();
  await overlay(page, 'c.png').waitFor({ state: 'detached' });
  await cancelled;
  release();
  // After two idle periods, the page has processed what may still have arrived.
  await page.evaluate('new Promise((done) => requestIdleCallback(() => requestIdleCallback(done)))');
  t.equal(await page.getByRole('dialog').count(), 0);
  t.equal(query(page), '');
  await shows(t, page, 'a.png', 'b.png', 'c.png');
});

t.test('the strip shows the page’s pictures and opens each of them', async (t) => {
  const page = await openFirst(t);
  await pictureOf(page, 'a.png').click();
  const strip = page.getByRole('group', { name: 'Images on this page' });
  await strip.getByRole('button', { name: 'c.png' }).click();
  await isShown(t, page, 'c.png');
  t.equal(await strip.getByRole('button', { name: 'c.png' }).getAttribute('aria-current'), 'true');
});

t.test('keys copy the link, toggle the details, download and delete', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png'], {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await pictureOf(page, 'a.png').click();
  await isShown(t, page, 'a.png');
  await page.keyboard.press('c');
  await sawToast(t, page, '1 link copied');
  t.equal(await page.evaluate('navigator.clipboard.readText()'), images[0]?.url);
  const panel = page.getByRole('complementary', { name: 'Details' });
  await panel.waitFor();
  await page.keyboard.press('i');
  await panel.waitFor({ state: 'detached' });
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('d')]);
  t.equal(download.suggestedFilename(), 'a.png');
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Are you sure?' }).waitFor();
});

t.test('the picture itself is copied as PNG', async (t) => {
  const account = await signIn(stage.app);
  const bytes = await picture({ format: 'jpeg', width: 320, height: 200 });
  await storeFiles(stage.app, account, [{ name: 'a.jpg', bytes }]);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await openSignedIn(t, stage, galleryPath, { account, permissions });
  await pictureOf(page, 'a.jpg').click();
  const copy = overlay(page, 'a.jpg').getByRole('button', { name: /^Cop/, description: 'Image' });
  await copy.click();
  await eventually(t, () => copy.textContent(), 'Copied!', 'it reads Copied!');
  const size = await page.evaluate(`navigator.clipboard.read()
    .then(([item]) => item.getType('image/png')).then((blob) => createImageBitmap(blob)).then(({ width, height }) => [width, height])`);
  t.same(size, [320, 200]);
});

t.test('if pictures cannot be copied, a toast explains why', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png'], {
    prepare: (context) => context.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })"),
  });
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Copy', description: 'Image' }).click();
  await sawToast(t, page, "Couldn't copy the image.", 'Browsers can copy images only on pages opened over https.');
});

t.test('a swipe continues on the page before, even after a deletion', async (t) => {
  const { account } = await withPictures(stage, ...five);
  const page = await openPage(t, stage, { account, size: 'phone' });
  await page.goto(`${galleryPath}?page=2`);
  await shows(t, page, 'd.png', 'e.png');
  await pictureOf(page, 'e.png').tap({ position: { x: 80, y: 120 } });
  await isShown(t, page, 'e.png');
  const again = page.waitForResponse('**/api/images/?page=1*');
  await overlay(page, 'e.png').getByRole('button', { name: 'Delete', exact: true }).tap();
  await page.getByRole('button', { name: 'Yes, Delete', exact: true }).tap();
  await isShown(t, page, 'd.png');
  await again;
  const session = await fingers(page);
  await move(session, [{ x: 40, y: 400 }], [{ x: 340, y: 400 }]);
  await isShown(t, page, 'c.png');
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`axe-core reports no violations in the overlay between pages (${size})`, async (t) => {
    const page = await openFirst(t, { size });
    await pictureOf(page, 'b.png').click({ position: { x: 60, y: 120 } });
    await isShown(t, page, 'b.png');
    await findsNothing(t, page, 'overlay');
  });
}

t.test('in right-to-left text, arrows, keys and swipes are mirrored', async (t) => {
  const { account } = await withPictures(stage, ...five);
  for (const size of ['desktop', 'phone'] as const) {
    const page = await openPage(t, stage, { account, size, locale: 'ar-EG' });
    await page.goto(galleryPath);
    await shows(t, page, 'a.png', 'b.png', 'c.png');
    await pictureOf(page, 'b.png').click({ position: { x: 60, y: 60 } });
    await isShown(t, page, 'b.png');
    await page.keyboard.press('ArrowLeft');
    await isShown(t, page, 'c.png');
    await page.keyboard.press('ArrowLeft');
    await isShown(t, page, 'd.png');
    await page.keyboard.press('ArrowRight');
    await isShown(t, page, 'c.png');
    const next = await page.getByRole('button', { name: 'الصورة التالية' }).boundingBox();
    const previous = await page.getByRole('button', { name: 'الصورة السابقة' }).boundingBox();
    t.ok((next?.x ?? 999) < (previous?.x ?? 0), `${size}: the next one is on the left`);
    if (size === 'desktop') continue;
    const session = await fingers(page);
    const [right, left] = [
      { x: 340, y: 400 },
      { x: 40, y: 400 },
    ];
    await move(session, [left], [right]);
    await isShown(t, page, 'd.png');
    await move(session, [right], [left]);
    await isShown(t, page, 'c.png');
  }
});
