import sharp from 'sharp';
import t from 'tap';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { choose, png } from '../testing/files.ts';
import { galleryPath, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { hold } from '../testing/hold.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { isPending, ownerIsKnown, shared, waiting } from '../testing/sharing.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { behindWorker, cached, share } from '../testing/worker.ts';

const stage = await openStage(t);
const allowed = { serviceWorkers: 'allow' } as const;

type Manifest = {
  start_url: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  shortcuts: { url: string }[];
  share_target: { action: string; method: string; enctype: string };
};

t.test('the page links a valid web app manifest', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/login');
  const debug = await page.context().newCDPSession(page);
  const { url, errors } = await debug.send('Page.getAppManifest');
  t.equal(url, `${stage.origin}/manifest.webmanifest`);
  t.same(errors, []);
  const answer = await fetch(url);
  t.match(answer.headers.get('content-type'), /^application\/manifest\+json/);
  const manifest = (await answer.json()) as Manifest;
  t.equal(manifest.start_url, '/dashboard/upload');
  t.equal(manifest.display, 'standalone');
  t.same(
    manifest.shortcuts.map((shortcut) => shortcut.url),
    ['/dashboard/upload', '/dashboard/images', '/dashboard/video'],
  );
  t.match(manifest.share_target, { action: '/share', method: 'POST', enctype: 'multipart/form-data' });
  for (const { src, sizes, type, purpose } of manifest.icons) {
    const icon = await fetch(stage.origin + src);
    t.equal(icon.headers.get('content-type'), type, src);
    if (sizes === 'any') continue;
    const { width, height, hasAlpha } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata();
    t.equal(`${width}x${height}`, sizes, src);
    if (purpose === 'maskable') t.notOk(hasAlpha, 'a maskable icon must be opaque');
  }
  const touch = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href');
  t.equal((await fetch(stage.origin + touch)).headers.get('content-type'), 'image/png');
});

t.test('the service worker is revalidated on each visit, and caches only the page’s files', async (t) => {
  const { headers } = await fetch(`${stage.origin}/sw.js`);
  t.equal(headers.get('cache-control'), 'no-cache');
  t.match(headers.get('content-type'), /javascript/);
  const { account } = await withPictures(stage, 'private.png');
  const page = await openPage(t, stage, { account, ...allowed });
  await page.goto(galleryPath);
  await behindWorker(page);
  await shows(t, page, 'private.png');
  await pictureOf(page, 'private.png').click();
  await page.getByRole('dialog', { name: 'private.png' }).getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Logout', exact: true }).click();
  await page.waitForURL('**/login');
  const caches = Object.entries(await cached(page));
  t.equal(caches.length, 1);
  for (const [name, files] of caches) {
    t.match(name, /^shell-[0-9a-f]{16}$/);
    t.ok(files.includes('/index.html'));
    const others = files.filter((file) => !/^\/assets\/[\w.-]+\.(?:js|css|woff2)$/.test(file));
    t.same(others, ['/index.html'], 'no API calls and no pictures');
  }
});

/** Records the text of the first screen that the page's script shows. */
const noteFirstScreen = `
  new MutationObserver((_, observer) => {
    const root = document.getElementById('root');
    if (!root?.firstElementChild) return;
    observer.disconnect();
    window.firstScreen = root.textContent;
  }).observe(document, { childList: true, subtree: true });`;

t.test('the page opens without the server, and shows from the start that it is offline until it is not', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', allowed);
  await behindWorker(page);
  await page.context().setOffline(true);
  const line = page.getByRole('status').getByText('You are offline.', { exact: true });
  await page.addInitScript(noteFirstScreen);
  await page.goto('/dashboard/video');
  await page.getByLabel('Video URL', { exact: true }).waitFor();
  t.match(await page.evaluate('window.firstScreen'), /^You are offline\./);
  await line.waitFor();
  await findsNothingHere(t, page, 'offline');
  await page.getByRole('link', { name: 'Upload Images' }).click();
  await choose(page, [await png('one.png')]);
  await page.getByRole('heading', { name: 'Pending', exact: true }).waitFor();
  await page.context().setOffline(false);
  await line.waitFor({ state: 'detached' });
});

t.test('a new version is loaded on a click, but not during an upload', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, [await png('one.png')]);
  const { release } = await hold(page, '**/api/images/upload');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('button', { name: 'Uploading...', exact: true }).waitFor();
  await page.route('**/index.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-newer.js"></script>' }),
  );
  const comeBack = "document.dispatchEvent(new Event('visibilitychange'))";
  const line = page.getByRole('status').filter({ hasText: 'A new version is ready.' });
  await eventually(
    t,
    async () => {
      // The page listens only once it is idle.
      await page.evaluate(comeBack);
      return line.count();
    },
    1,
    'the new version is reported',
  );
  const reload = page.getByRole('button', { name: 'Reload', exact: true });
  await page.getByText('A new version is ready. Reload when the upload is finished.', { exact: true }).waitFor();
  t.equal(await reload.count(), 0);
  release();
  await reload.waitFor();
  await findsNothingHere(t, page, 'a new version');
  await Promise.all([page.waitForEvent('load'), reload.click()]);
});

t.test('files shared by another app are added to the pending list only', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/images', { ...allowed, size: 'phone' });
  await behindWorker(page);
  await ownerIsKnown(t, page);
  await share(page, await shared('one.png', 'two.png'));
  await page.waitForURL('**/dashboard/upload?share=*');
  await isPending(t, page, 'one.png', 'two.png');
  t.equal(await waiting(page), 0, 'the share is taken once');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByText('Images uploaded successfully 📸').waitFor();
});

t.test('API calls and pictures bypass the service worker', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account, ...allowed });
  await page.goto(galleryPath);
  await behindWorker(page);
  await eventually(t, () => naturalWidth(pictureOf(page, 'a.png').getByRole('img')), 64, 'the thumbnail has loaded');
  const answers = await page.evaluate<{ path: string; from: string }[]>(
    `performance.getEntriesByType('resource').map((entry) => ({ path: new URL(entry.name).pathname, from: entry.workerMatchedSourceType }))`,
  );
  const calls = answers.filter(({ path }) => /^\/(?:api|i)\//.test(path));
  t.ok(calls.some(({ path }) => path.startsWith('/i/')));
  t.same(
    calls.filter(({ from }) => from !== 'network'),
    [],
  );
  await page.route('**/api/images/?*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await page.reload();
  await page.getByRole('button', { name: 'Retry' }).waitFor();
});
