/** The overlay shows an image's screen rendition, and loads the original only for zooming. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { picture } from '../../server/testing/pictures.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { galleryPath, pictureOf } from '../testing/gallery.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { openPage, openSignedIn, openStage, type PageOptions } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';
import { fingers, move } from '../testing/touch.ts';

const stage = await openStage(t);
const name = 'large.jpg';
const overlay = (page: Page) => page.getByRole('dialog', { name, exact: true });
const zoomIn = (page: Page) => overlay(page).getByRole('button', { name: 'Full size', exact: true });
const zoomOut = (page: Page) => overlay(page).getByRole('button', { name: 'Fit to window', exact: true });
const screenImage = (page: Page) => overlay(page).getByRole('img', { name, exact: true });
const original = (page: Page) => overlay(page).locator('[data-original]');

/** Opens the overlay of a photograph with a separate screen rendition, and records whether the original is requested. */
async function openOverlay(t: Test, options: PageOptions = {}, change: object = {}) {
  const account = await signIn(stage.app);
  const bytes = await picture({ format: 'jpeg', width: 2400, height: 1800 });
  await storeFiles(stage.app, account, [{ name, bytes }]);
  const page = await openPage(t, stage, { account, ...options });
  let url = '';
  await page.route('**/api/images/?*', async (route) => {
    const answer = await route.fetch();
    const list = await answer.json();
    // Any small file except the original works.
    const [image] = list.images;
    Object.assign(image, { screen_url: `${image.thumbnail_url}?screen`, screen_avif_url: null, ...change });
    url = image.url;
    await route.fulfill({ response: answer, json: list });
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(galleryPath);
  await pictureOf(page, name).click();
  await eventually(t, () => naturalWidth(screenImage(page)), 480, 'the screen rendition has loaded');
  return { page, asksOriginal: () => asked.includes(url), url };
}

t.test('the original is loaded only for zooming', async (t) => {
  const { page, asksOriginal } = await openOverlay(t);
  t.notOk(asksOriginal());
  await zoomIn(page).click();
  await eventually(t, () => naturalWidth(original(page)), 2400, 'the original has loaded');
  t.ok(asksOriginal());
  const width = async () => Math.round((await original(page).boundingBox())?.width ?? 0);
  await eventually(t, width, 2400, 'at its full size');
  t.equal(await screenImage(page).count(), 1, 'the screen rendition stays below it');
  await zoomOut(page).click();
  await original(page).waitFor({ state: 'detached' });
  t.ok(((await screenImage(page).boundingBox())?.width ?? 9999) < 1000, 'it fits the window again');
});

t.test('keys and a double click zoom, and arrow keys pan the zoomed picture', async (t) => {
  const { page } = await openOverlay(t);
  await page.keyboard.press('+');
  await zoomOut(page).waitFor();
  const place = async () => (await screenImage(page).boundingBox())?.x ?? Number.NaN;
  const before = await place();
  await page.keyboard.press('ArrowRight');
  await eventually(t, async () => (await place()) < before, true, 'the picture moves');
  await page.keyboard.press('0');
  await zoomIn(page).waitFor();
  await screenImage(page).dblclick({ position: { x: 5, y: 5 } });
  await zoomOut(page).waitFor();
  const corner = async () => {
    const box = await screenImage(page).boundingBox();
    return Math.min(box?.x ?? -99, box?.y ?? -99) > -1 && (box?.width ?? 0) > 2390;
  };
  await eventually(t, corner, true, 'the clicked corner is visible at full size');
  await original(page).dblclick({ position: { x: 300, y: 300 } });
  await zoomIn(page).waitFor();
});

t.test('Esc first ends the zoom, then closes the overlay', async (t) => {
  const { page } = await openOverlay(t);
  await zoomIn(page).click();
  await zoomOut(page).waitFor();
  await page.keyboard.press('Escape');
  await zoomIn(page).waitFor();
  await zoomIn(page).hover();
  await page.keyboard.press('Escape');
  await overlay(page).waitFor({ state: 'detached' });
});

t.test('an original that fails to load shows an error and keeps the screen rendition', async (t) => {
  const { page, url } = await openOverlay(t);
  await page.route(url, (route) => route.abort());
  await zoomIn(page).click();
  await sawToast(t, page, "Couldn't load the full size. Check your connection and try again.");
  await zoomIn(page).waitFor();
  t.equal(await naturalWidth(screenImage(page)), 480);
});

t.test('a withheld original, or one that browsers cannot draw, offers no zoom', async (t) => {
  for (const change of [{ location: 'withheld' }, { content_type: 'image/heic' }]) {
    const { page, asksOriginal } = await openOverlay(t, {}, change);
    t.equal(await zoomIn(page).count(), 0, JSON.stringify(change));
    await page.keyboard.press('+');
    await screenImage(page).dblclick();
    t.equal(await original(page).count(), 0);
    t.notOk(asksOriginal());
  }
});

t.test('on a phone the button zooms, and axe-core reports no violations', async (t) => {
  const { page } = await openOverlay(t, { size: 'phone' });
  await zoomIn(page).tap();
  await eventually(t, () => naturalWidth(original(page)), 2400, 'the original has loaded');
  await findsNothing(t, page, 'zoomed');
});

t.test('the wheel zooms at the pointer', async (t) => {
  const { page } = await openOverlay(t);
  const pointer = { x: 300, y: 200 };
  const before = await screenImage(page).boundingBox();
  if (before === null) throw new Error('no picture is shown');
  await screenImage(page).hover({ position: pointer });
  await page.mouse.wheel(0, -200);
  await zoomOut(page).waitFor();
  /** The point of the picture under the pointer, in per cent of its size. */
  const under = async () => {
    const box = (await screenImage(page).boundingBox()) ?? before;
    if (box.width < before.width * 1.2) return [];
    return [(before.x + pointer.x - box.x) / box.width, (before.y + pointer.y - box.y) / box.height].map((share) =>
      Math.round(share * 100),
    );
  };
  const first = [pointer.x / before.width, pointer.y / before.height].map((share) => Math.round(share * 100));
  await eventually(t, under, first, 'the point under the pointer stays there');
});

t.test('axe-core reports no violations in the zoomed overlay', async (t) => {
  const { page } = await openOverlay(t);
  await zoomIn(page).click();
  await eventually(t, () => naturalWidth(original(page)), 2400, 'the original has loaded');
  await findsNothing(t, page, 'zoomed');
});

t.test('a pinch and a double tap zoom', async (t) => {
  const account = await signIn(stage.app);
  const bytes = await picture({ format: 'jpeg', width: 2400, height: 1800 });
  await storeFiles(stage.app, account, [{ name, bytes }]);
  const { page } = await openSignedIn(t, stage, galleryPath, { account, size: 'phone' });
  await pictureOf(page, name).tap({ position: { x: 80, y: 120 } });
  const image = screenImage(page);
  const width = async () => Math.round((await image.boundingBox())?.width ?? 0);
  await eventually(t, width, 390, 'it fits the window');
  const session = await fingers(page);
  await move(
    session,
    [
      { x: 180, y: 380 },
      { x: 210, y: 420 },
    ],
    [
      { x: 60, y: 260 },
      { x: 330, y: 540 },
    ],
  );
  await eventually(t, async () => (await width()) > 600, true, 'it has grown');
  await zoomOut(page).tap();
  await eventually(t, width, 390, 'it fits the window again');
  const tap = async () => {
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 195, y: 400 }] });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await tap();
  await tap();
  await eventually(t, async () => (await width()) > 1100, true, 'a double tap zooms to its pixels');
  t.equal(await overlay(page).count(), 1, 'it is still open');
});
