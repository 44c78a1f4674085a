import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { picture } from '../../server/testing/pictures.ts';
import { corpusFile } from '../testing/corpus.ts';
import { eventually } from '../testing/eventually.ts';
import { cardNames, cardOf, galleryPath, openGallery, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const overlay = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const close = (page: Page) => page.getByRole('button', { name: 'Close', exact: true });
const fullImage = (page: Page, name: string) => overlay(page, name).getByRole('img', { name, exact: true });
const widthOf = (page: Page, name: string) => naturalWidth(fullImage(page, name));
const focusedId = (page: Page) => page.evaluate<string>('document.activeElement.id');

const ways: [string, (page: Page) => Promise<unknown>][] = [
  ['its Close button', (page) => close(page).click()],
  ['Esc', (page) => page.keyboard.press('Escape')],
  ['Back', (page) => page.goBack()],
  ['a click outside the picture', (page) => page.mouse.click(40, 860)],
];

for (const [name, leave] of ways) {
  t.test(`${name} closes the overlay`, async (t) => {
    const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
    await pictureOf(page, 'b.png').click();
    await overlay(page, 'b.png').waitFor();
    await eventually(t, () => widthOf(page, 'b.png'), 64, 'the picture has loaded');
    await leave(page);
    await overlay(page, 'b.png').waitFor({ state: 'detached' });
    t.equal(new URL(page.url()).pathname, galleryPath, 'the gallery is still there');
    t.same(await cardNames(page), ['a.png', 'b.png']);
    const id = await pictureOf(page, 'b.png').getAttribute('id');
    await eventually(t, () => focusedId(page), id, 'the focus returns to its card');
  });
}

t.test('the strip scrolls to a late picture, and the overlay around it does not', async (t) => {
  const names = Array.from({ length: 24 }, (_, at) => `${String(at).padStart(2, '0')}.png`);
  const { page } = await openGallery(t, stage, names);
  await page.setViewportSize({ width: 1000, height: 900 });
  await pictureOf(page, '22.png').click();
  const strip = overlay(page, '22.png').getByRole('group', { name: 'Images on this page' });
  await strip.getByRole('button', { name: '22.png' }).waitFor();
  const isScrolled = () => strip.evaluate((element) => (element as unknown as { scrollLeft: number }).scrollLeft > 100);
  await eventually(t, isScrolled, true, 'the strip has scrolled');
  t.equal(
    await overlay(page, '22.png').evaluate((element) => (element as unknown as { scrollLeft: number }).scrollLeft),
    0,
  );
});

t.test('a click on the picture or on a control keeps the overlay open', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await pictureOf(page, 'a.png').click();
  await eventually(t, () => widthOf(page, 'a.png'), 64, 'the picture has loaded');
  await fullImage(page, 'a.png').click();
  await overlay(page, 'a.png').getByRole('heading', { name: 'a.png' }).click();
  await overlay(page, 'a.png').getByText('Filename', { exact: true }).click();
  t.equal(await overlay(page, 'a.png').count(), 1);
});

t.test('Tab stays in the overlay, and starts on Close', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await pictureOf(page, 'a.png').press('Enter');
  await overlay(page, 'a.png').waitFor();
  const label = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
  await eventually(t, label, 'Close', 'the focus is on Close');
  const inside = () =>
    page.evaluate<boolean>(
      'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
    );
  for (let press = 0; press < 15; press++) {
    await page.keyboard.press('Tab');
    t.equal(await inside(), true, `Tab ${press + 1} stays inside`);
  }
});

t.test('Esc in the question closes only the question', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Are you sure?' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  t.equal(await overlay(page, 'a.png').count(), 1, 'the overlay stays');
});

t.test('Back during the question closes it and the overlay, and the gallery keeps working', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Are you sure?' });
  await question.waitFor();
  await page.goBack();
  await overlay(page, 'a.png').waitFor({ state: 'detached' });
  await question.waitFor({ state: 'detached' });
  const overflow = () => page.evaluate('getComputedStyle(document.body).overflowY');
  await eventually(t, overflow, 'visible', 'the page scrolls');
  await cardOf(page, 'a.png').getByRole('button', { name: 'Delete', exact: true }).click();
  await question.getByRole('button', { name: 'Cancel', exact: true }).click();
  t.same(await cardNames(page), ['a.png']);
});

t.test('a second click before the overlay opens adds no second history entry', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await pictureOf(page, 'a.png').dispatchEvent('click');
  await pictureOf(page, 'a.png').dispatchEvent('click');
  await overlay(page, 'a.png').waitFor();
  await page.goBack();
  await overlay(page, 'a.png').waitFor({ state: 'detached' });
});

t.test('closing the overlay twice at once goes back one step', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').waitFor();
  await page.evaluate(`(() => {
    const { back } = history;
    window.backs = 0;
    history.back = () => { window.backs += 1; back.call(history); };
    const close = document.querySelector('dialog [aria-label="Close"]');
    close.click();
    close.click();
  })()`);
  await overlay(page, 'a.png').waitFor({ state: 'detached' });
  t.equal(await page.evaluate('window.backs'), 1, 'one step back');
  await shows(t, page, 'a.png');
});

t.test('deleting the only picture from the overlay moves the focus to the heading', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, Delete', exact: true }).click();
  await page.getByText('No images found.', { exact: true }).waitFor();
  await eventually(t, () => page.evaluate('document.activeElement.tagName'), 'H1', 'it is not lost');
});

t.test('the adjacent pictures on both sides are preloaded', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png']);
  await pictureOf(page, 'a.png').click();
  const loaded = (name: string) => overlay(page, name).locator('img[data-state="there"]').count();
  await eventually(t, () => loaded('a.png'), 2, 'the current and the next');
  await page.keyboard.press('ArrowRight');
  await eventually(t, () => loaded('b.png'), 3, 'the current and both adjacent ones');
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`a toast reports that the browser blocks copying (${size})`, async (t) => {
    const { page } = await openGallery(t, stage, ['a.png'], {
      size,
      prepare: (context) =>
        context.addInitScript(`
          Object.defineProperty(navigator, 'clipboard', { value: undefined });
          document.execCommand = () => false;`),
    });
    await pictureOf(page, 'a.png').click();
    await eventually(t, () => widthOf(page, 'a.png'), 64, 'the picture has loaded');
    if (size === 'desktop') await page.keyboard.press('c');
    else await overlay(page, 'a.png').getByRole('button', { name: 'Copy', exact: true }).tap();
    await sawToast(t, page, "Couldn't copy: your browser blocked the clipboard");
  });
}

t.test('on a phone only the copied picture reads Copied!', async (t) => {
  const { account } = await withPictures(stage, 'a.png', 'b.png');
  const page = await openPage(t, stage, { account, size: 'phone', permissions: ['clipboard-read', 'clipboard-write'] });
  await page.clock.install();
  await page.goto(galleryPath);
  await shows(t, page, 'a.png', 'b.png');
  await pictureOf(page, 'a.png').tap();
  await eventually(t, () => widthOf(page, 'a.png'), 64, 'the picture has loaded');
  const bar = (name: string) => overlay(page, name).getByRole('button', { name: /^(Copy|Copied!)$/ });
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await bar('a.png').tap();
  await eventually(t, () => bar('a.png').textContent(), 'Copied!', 'it reads Copied!');
  await page.keyboard.press('ArrowRight');
  await eventually(t, () => bar('b.png').textContent(), 'Copy', 'the next picture does not');
});

t.test('a picture that fails to load shows an error, and Retry loads it', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png']);
  const url = images[0]?.screen_url ?? '';
  await page.route(url, (route) => route.abort());
  await pictureOf(page, 'a.png').click();
  await page.getByText('This image could not be loaded.').waitFor();
  await page.unroute(url);
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await eventually(t, () => widthOf(page, 'a.png'), 64, 'it has loaded');
});

t.test('a TIFF is shown as a rendition that the browser supports', async (t) => {
  const account = await signIn(stage.app);
  const bytes = await picture({ format: 'tiff', width: 640, height: 480 });
  await storeFiles(stage.app, account, [{ name: 'scan.tiff', bytes }]);
  const { page } = await openSignedIn(t, stage, galleryPath, { account });
  await pictureOf(page, 'scan.tiff').click();
  await eventually(t, () => widthOf(page, 'scan.tiff'), 640, 'it is drawn');
});

const heic = corpusFile('policy_IMG_7943.HEIC');

t.test(
  'a HEIC is shown as a rendition that the browser supports',
  { skip: !existsSync(heic) && `no ${heic}` },
  async (t) => {
    const account = await signIn(stage.app);
    await storeFiles(stage.app, account, [{ name: 'phone.HEIC', bytes: await readFile(heic) }]);
    const { page } = await openSignedIn(t, stage, galleryPath, { account });
    await pictureOf(page, 'phone.HEIC').click();
    const drawn = async () => (await widthOf(page, 'phone.HEIC')) > 0;
    await eventually(t, drawn, true, 'it is drawn');
  },
);

t.test('on a phone a tap outside and Back close the overlay', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png'], { size: 'phone' });
  await pictureOf(page, 'a.png').tap();
  await eventually(t, () => widthOf(page, 'a.png'), 64, 'the picture has loaded');
  await page.touchscreen.tap(195, 150);
  await overlay(page, 'a.png').waitFor({ state: 'detached' });
  await pictureOf(page, 'a.png').tap();
  await overlay(page, 'a.png').waitFor();
  await page.goBack();
  await overlay(page, 'a.png').waitFor({ state: 'detached' });
});

t.test('a filename that looks like markup is shown as text', async (t) => {
  const account = await signIn(stage.app);
  const name = '<img src=x onerror=alert(1)>.png';
  await storeFiles(stage.app, account, [{ name, bytes: await picture() }]);
  const page = await openPage(t, stage, { account });
  page.on('dialog', (dialog) => {
    t.fail(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(galleryPath);
  await shows(t, page, name);
  await pictureOf(page, name).click();
  await overlay(page, name).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog', { name: 'Are you sure?' }).waitFor();
});

t.test('arrow keys and buttons show the adjacent pictures, and closing focuses the last one', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png']);
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').waitFor();
  await page.keyboard.press('ArrowRight');
  await overlay(page, 'b.png').waitFor();
  await page.getByRole('button', { name: 'Next image' }).click();
  await overlay(page, 'c.png').waitFor();
  const label = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  t.equal(await label(), 'Next image', 'the focus stays on the pressed button');
  await page.keyboard.press('ArrowLeft');
  await overlay(page, 'b.png').waitFor();
  await page.goBack();
  await overlay(page, 'b.png').waitFor({ state: 'detached' });
  const id = await pictureOf(page, 'b.png').getAttribute('id');
  await eventually(t, () => focusedId(page), id, 'one step back closes, however many were turned');
});

t.test('the link is copied from the overlay', async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, images } = await openGallery(t, stage, ['a.png'], { permissions });
  await pictureOf(page, 'a.png').click();
  const copy = overlay(page, 'a.png').getByRole('button', { name: 'Copy', exact: true }).first();
  await copy.click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Copied!', exact: true }).waitFor();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), images[0]?.url);
});
