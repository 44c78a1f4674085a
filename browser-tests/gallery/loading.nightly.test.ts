/** How the gallery loads: its requests, their timing and session, and no layout shift. */
import type { Page, Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { picture } from '../../server/testing/pictures.ts';
import { shiftsOf, watchShifts } from '../testing/checks/shifts.ts';
import { eventually } from '../testing/eventually.ts';
import { cardNames, galleryPath, listsOf, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { openPage, openStage, sizes, stored } from '../testing/stage.ts';

const stage = await openStage(t, { pageSize: 3 });
const seven = ['7.png', '6.png', '5.png', '4.png', '3.png', '2.png', '1.png'];
const firstPage = '?page=1&search=';
const secondPage = '?page=2&search=';
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });

/** Holds matching requests until the returned function is called. */
async function hold(page: Page, pattern: string): Promise<() => void> {
  let releaseMemory = () => {};
  const held = new Promise<void>((resolve) => {
    releaseMemory = resolve;
  });
  // A page that was left rejects the answer.
  await page.route(pattern, async (route: Route) => {
    await held;
    await route.continue().catch(() => {});
  });
  return releaseMemory;
}

for (const size of ['desktop', 'phone'] as const) {
  t.test(
    `the heading and a skeleton do not wait for the list, and nothing shifts while it loads (${size})`,
    async (t) => {
      const { account } = await withPictures(stage, ...seven.slice(0, 4));
      const page = await openPage(t, stage, { account, size });
      await page.addInitScript(watchShifts);
      const list = await hold(page, '**/api/images/?*');
      const thumbnails = await hold(page, '**/i/**');
      await page.goto(galleryPath, { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1, name: 'Image Gallery' }).waitFor();
      await page.locator('main ul[aria-hidden] li').first().waitFor();
      list();
      await shows(t, page, '7.png', '6.png', '5.png');
      thumbnails();
      await eventually(
        t,
        () => naturalWidth(pictureOf(page, '5.png').getByRole('img')),
        64,
        'the last thumbnail has loaded',
      );
      await page.evaluate('document.fonts.ready');
      t.same(await shiftsOf(page), []);
    },
  );
}

t.test('the list is requested before the script has loaded, and only once', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account });
  const lists = listsOf(page);
  const script = await hold(page, '**/assets/*.js');
  await page.goto(galleryPath, { waitUntil: 'commit' });
  await eventually(t, () => lists, [firstPage], 'while the script is held');
  script();
  await shows(t, page, 'a.png');
  t.same(lists, [firstPage]);
});

t.test('the early list uses the page and search of the address', async (t) => {
  const { account } = await withPictures(stage, 'x4.png', 'x3.png', 'y.png', 'x2.png', 'x1.png');
  const page = await openPage(t, stage, { account });
  const lists = listsOf(page);
  await page.goto(`${galleryPath}?page=2&search=x`);
  await shows(t, page, 'x1.png');
  t.same(lists, ['?page=2&search=x']);
});

/** Records the names of all cards that were ever on the page. */
const watchNames = `
  window.names = new Set();
  new MutationObserver(() => {
    for (const name of document.querySelectorAll('bdi')) window.names.add(name.textContent);
  }).observe(document, { childList: true, subtree: true, characterData: true });`;

/** Answers the early list for one account while the script is held, then changes the storage and releases the script. */
async function changedMeanwhile(t: Test, change: string): Promise<Page> {
  const { account } = await withPictures(stage, 'private.png');
  const page = await openPage(t, stage, { account });
  await page.addInitScript(watchNames);
  const script = await hold(page, '**/assets/*.js');
  const answered = page.waitForResponse('**/api/images/?page=1*');
  await page.goto(galleryPath, { waitUntil: 'commit' });
  t.equal((await answered).status(), 200);
  await page.evaluate(change);
  script();
  return page;
}

t.test('an early list of another account is never shown', async (t) => {
  const { account: other } = await withPictures(stage, 'mine.png');
  const page = await changedMeanwhile(t, `localStorage.setItem('access_token', '${other.token}')`);
  await shows(t, page, 'mine.png');
  t.same(await page.evaluate('[...window.names]'), ['mine.png']);
});

t.test('an early list is not shown after a logout, nor to the next account', async (t) => {
  const page = await changedMeanwhile(t, 'localStorage.clear()');
  await page.getByRole('heading', { name: 'Login' }).waitFor();
  const { account: other } = await withPictures(stage, 'mine.png');
  await page.getByLabel('Email', { exact: true }).fill(other.email);
  await page.getByLabel('Password', { exact: true }).fill(other.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.getByRole('link', { name: 'View Images' }).click();
  await shows(t, page, 'mine.png');
  t.same(await page.evaluate('[...window.names]'), ['mine.png']);
});

t.test('a refused early list ends the session', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage, { account });
  await stage.app.inject({ method: 'POST', url: '/api/auth/logout', headers: account.bearer });
  const lists = listsOf(page);
  await page.goto(galleryPath);
  await page.getByRole('heading', { name: 'Login' }).waitFor();
  t.equal(await stored(page, 'access_token'), null);
  t.same(lists, [firstPage], 'it was not requested again');
});

t.test('Next shows the prefetched page at once and reloads it, and Prev shows the one before', async (t) => {
  const { account, images } = await withPictures(stage, ...seven);
  const page = await openPage(t, stage, { account });
  const lists = listsOf(page);
  const thumbnails: string[] = [];
  page.on('requestfinished', (request) => thumbnails.push(request.url()));
  await page.goto(galleryPath);
  await shows(t, page, '7.png', '6.png', '5.png');
  t.equal(images.length, 3);
  await eventually(t, () => lists, [firstPage, secondPage], 'the next list is prefetched when the page is idle');
  const warmed = () => thumbnails.filter((url) => url.includes('/thumbnail.')).length;
  await eventually(t, warmed, 6, 'its thumbnails are prefetched');
  const releaseMemory = await hold(page, '**/api/images/?*');
  await next(page).click();
  await shows(t, page, '4.png', '3.png', '2.png');
  t.equal(await page.locator('main ul[aria-hidden]').count(), 0, 'no skeleton');
  await eventually(t, () => lists.slice(2, 3), [secondPage], 'a change of page still loads it');
  await page.getByRole('button', { name: 'Prev', exact: true }).click();
  await shows(t, page, '7.png', '6.png', '5.png');
  releaseMemory();
});

t.test('nothing is prefetched with Save-Data', async (t) => {
  const { account } = await withPictures(stage, ...seven);
  const page = await openPage(t, stage, { account });
  await page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })");
  const lists = listsOf(page);
  const idle = page.waitForRequest('**/assets/owner-preview-*.js');
  await page.goto(galleryPath);
  await shows(t, page, '7.png', '6.png', '5.png');
  await idle;
  for (let turn = 0; turn < 3; turn++) await page.evaluate('new Promise((done) => requestIdleCallback(done))');
  t.same(lists, [firstPage]);
  await next(page).click();
  await shows(t, page, '4.png', '3.png', '2.png');
});

t.test('a failed prefetch is silent, and the page loads on demand', async (t) => {
  const { account } = await withPictures(stage, ...seven);
  const page = await openPage(t, stage, { account });
  await page.route('**/api/images/?page=2*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  const failed = page.waitForResponse((answer) => answer.status() === 500);
  await page.goto(galleryPath);
  await failed;
  await next(page).click();
  await shows(t, page, '4.png', '3.png', '2.png');
  t.equal(await page.getByText('Failed to load images').count(), 0);
});

t.test('the page is sent compressed, with its encoding and Vary', async (t) => {
  const page = await openPage(t, stage);
  const script = page.waitForResponse('**/assets/base-*.js');
  const answer = await page.goto('/login');
  for (const each of [answer, await script]) {
    const headers = await each?.allHeaders();
    t.equal(headers?.['content-encoding'], 'br', `${each?.url()}`);
    t.match(headers?.vary, /accept-encoding/i);
  }
  await page.getByRole('heading', { name: 'Login' }).waitFor();
});

t.test('a phone loads no rendition larger than it shows', async (t) => {
  const account = await signIn(stage.app);
  const bytes = await picture({ format: 'jpeg', width: 2400, height: 1800 });
  await storeFiles(stage.app, account, [{ name: 'large.jpg', bytes }]);
  const page = await openPage(t, stage, { account, ...sizes.phone, deviceScaleFactor: 3 });
  const loaded: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/i/')) loaded.push(pathname.split('/').at(-1) ?? '');
  });
  await page.goto(galleryPath);
  await eventually(
    t,
    () => naturalWidth(pictureOf(page, 'large.jpg').getByRole('img')),
    480,
    'the thumbnail has loaded',
  );
  t.ok(
    loaded.every((name) => name.startsWith('thumbnail.')),
    `${loaded}`,
  );
  t.same(await cardNames(page), ['large.jpg']);
});
