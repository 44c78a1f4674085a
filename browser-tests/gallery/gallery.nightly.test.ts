import type { Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { eventually } from '../testing/eventually.ts';
import { twoColours } from '../testing/files.ts';
import { cardNames, cardOf, galleryPath, listsOf, openGallery, shows, withPictures } from '../testing/gallery.ts';
import { hold } from '../testing/hold.ts';
import { naturalWidth, opacityOf, textOf } from '../testing/in-page.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 3 });
const prev = (page: Page) => page.getByRole('button', { name: 'Prev', exact: true });
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
const search = (page: Page) => page.getByRole('searchbox');
const query = (page: Page) => new URL(page.url()).search;
const seven = ['7.png', '6.png', '5.png', '4.png', '3.png', '2.png', '1.png'];

t.test('the date follows the reader’s time zone', async (t) => {
  const { account } = await withPictures(stage, 'late.png');
  const at = async (timezoneId: string) => {
    const { page } = await openSignedIn(t, stage, '/login', { account, timezoneId });
    await page.route('**/api/images/?*', async (route) => {
      const answer = await route.fetch();
      const list = await answer.json();
      list.images[0].uploaded_at = '2026-03-04T20:30:00.000Z';
      await route.fulfill({ response: answer, json: list });
    });
    await page.goto(galleryPath);
    return textOf(page.getByText(/^Uploaded:/));
  };
  t.equal(await at('Europe/London'), 'Uploaded: 3/4/2026');
  t.equal(await at('Asia/Tokyo'), 'Uploaded: 3/5/2026');
});

t.test('an empty gallery shows a message and no pager', async (t) => {
  const { page } = await openGallery(t, stage, []);
  await page.getByText('No images found.', { exact: true }).waitFor();
  t.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0);
});

t.test('one full page has no pager', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png']);
  t.equal(await prev(page).count(), 0);
  t.equal(await next(page).count(), 0);
});

t.test('a search matches per cent and underscore literally', async (t) => {
  const { page } = await openGallery(t, stage, ['100%.png', '100 plain.png', 'a_b.png']);
  await search(page).fill('100%');
  await shows(t, page, '100%.png');
  await search(page).fill('_');
  await shows(t, page, 'a_b.png');
});

t.test('a search is sent after a pause in typing, not on every key', async (t) => {
  const { account } = await withPictures(stage, 'holiday.png');
  const page = await openPage(t, stage, { account });
  await page.clock.install();
  await page.goto(galleryPath);
  await shows(t, page, 'holiday.png');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const lists = listsOf(page);
  await search(page).pressSequentially('holi');
  t.same(lists, []);
  await page.clock.runFor(400);
  await eventually(t, () => lists, ['?page=1&search=holi'], 'one fetch');
});

t.test('the page and search in the address are shown', async (t) => {
  const { account } = await withPictures(stage, 'x4.png', 'x3.png', 'y.png', 'x2.png', 'x1.png');
  const page = await openPage(t, stage, { account });
  await page.goto(`${galleryPath}?page=2&search=x`);
  await shows(t, page, 'x1.png');
  t.equal(await search(page).inputValue(), 'x');
});

t.test('a page past the end shows the last one', async (t) => {
  const { account } = await withPictures(stage, ...seven);
  const page = await openPage(t, stage, { account });
  await page.goto(`${galleryPath}?page=9`);
  await shows(t, page, '1.png');
  t.equal(query(page), '?page=3');
});

t.test('a page that fails to load leaves the current cards', async (t) => {
  const { account } = await withPictures(stage, ...seven);
  const page = await openPage(t, stage, { account });
  await page.route('**/api/images/?page=2*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(galleryPath);
  await shows(t, page, '7.png', '6.png', '5.png');
  await next(page).click();
  await sawToast(t, page, 'Failed to load images');
  t.same(await cardNames(page), ['7.png', '6.png', '5.png']);
});

for (const [reducedMotion, durations] of [
  ['reduce', [1]],
  ['no-preference', [1, 8000]],
] as const) {
  t.test(`a line shows that a page loads, and grows only with motion (${reducedMotion})`, async (t) => {
    const { account } = await withPictures(stage, ...seven);
    const page = await openPage(t, stage, { account, reducedMotion });
    const { release } = await hold(page, '**/api/images/?page=2*');
    await page.goto(galleryPath);
    await shows(t, page, '7.png', '6.png', '5.png');
    await next(page).click();
    await page.locator('[data-at="window"]').waitFor({ state: 'attached' });
    const found = `document.querySelector('[data-at="window"]').getAnimations().map(({ effect }) => effect.getTiming().duration)`;
    t.same(await page.evaluate(found), durations);
    release();
    await shows(t, page, '4.png', '3.png', '2.png');
  });
}

t.test('a tiny picture is not enlarged to its card', async (t) => {
  const { page } = await openGallery(t, stage, ['tiny.png']);
  const fit = "getComputedStyle(document.querySelector('[data-picture] img')).objectFit";
  t.equal(await page.evaluate(fit), 'scale-down');
});

t.test('an image shows its thumbhash until its thumbnail has loaded', async (t) => {
  const account = await signIn(stage.app);
  await storeFiles(stage.app, account, [{ name: 'slow.png', bytes: await twoColours(300, 200) }]);
  const page = await openPage(t, stage, { account });
  const { release } = await hold(page, '**/i/**');
  await page.goto(galleryPath, { waitUntil: 'commit' });
  const picture = page.getByRole('button', { name: 'slow.png', exact: true });
  await picture.waitFor();
  t.match(await picture.getAttribute('style'), /background-image: url\("?data:image/);
  const image = picture.getByRole('img');
  const opacity = () => opacityOf(image);
  t.equal(await opacity(), '0', 'the thumbnail is still hidden');
  await page.evaluate('document.fonts.ready');
  const box = await picture.boundingBox();
  release();
  await eventually(t, opacity, '1', 'the thumbnail is shown');
  t.ok(await naturalWidth(image));
  t.same(await picture.boundingBox(), box, 'the card keeps its size');
});

t.test('the page is in the address: a reload keeps it, and Back returns to the one before', async (t) => {
  const { account } = await withPictures(stage, ...seven);
  const page = await openPage(t, stage, { account });
  await page.goto(galleryPath);
  await shows(t, page, '7.png', '6.png', '5.png');
  await next(page).click();
  await shows(t, page, '4.png', '3.png', '2.png');
  t.equal(query(page), '?page=2');
  await page.reload();
  await shows(t, page, '4.png', '3.png', '2.png');
  await page.goBack();
  await shows(t, page, '7.png', '6.png', '5.png');
  await page.goForward();
  await shows(t, page, '4.png', '3.png', '2.png');
});

t.test('a search without results shows a message, and clearing it shows the gallery', async (t) => {
  const { page } = await openGallery(t, stage, ['cat.png']);
  await shows(t, page, 'cat.png');
  await search(page).fill('unicorn');
  await page.getByText('No images found.', { exact: true }).waitFor();
  await search(page).press('Escape');
  await shows(t, page, 'cat.png');
  t.equal(query(page), '');
});

t.test('the copied link opens without a login, and answers 404 once the image is deleted', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png']);
  const url = images[0]?.url ?? '';
  t.match(url, /\.png$/, 'it ends in the file’s extension');
  const stranger = await openPage(t, stage);
  const answer = await stranger.goto(url);
  t.equal(answer?.status(), 200);
  t.equal(await answer?.headerValue('content-type'), 'image/png');
  const width = () => naturalWidth(stranger.locator('img'));
  await eventually(t, width, 64, 'the picture itself is shown');
  await cardOf(page, 'a.png')
    .getByRole('button', { name: /^Delet/ })
    .click();
  await page.getByRole('button', { name: 'Yes, Delete', exact: true }).click();
  await sawToast(t, page, 'Image deleted.');
  const later = await openPage(t, stage);
  t.equal((await later.goto(url))?.status(), 404);
  const thumbnail = await later.goto(images[0]?.thumbnail_url ?? '');
  t.equal(thumbnail?.status(), 404, 'the thumbnail is deleted too');
});
