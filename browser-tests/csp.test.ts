import type { BrowserContext, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { eventually } from './testing/eventually.ts';
import { choose, damaged, png } from './testing/files.ts';
import { galleryPath, pictureOf, shows, withPictures } from './testing/gallery.ts';
import { naturalWidth } from './testing/in-page.ts';
import { openPage, openStage } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

const stage = await openStage(t);

/** Everything that a page of the context reports: violations of its policy, errors, and errors on the console. */
async function reportsOf(context: BrowserContext): Promise<string[]> {
  const reports: string[] = [];
  await context.exposeBinding('report', (_, violation: string) => void reports.push(violation));
  await context.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) =>
      report(event.violatedDirective + ' ' + event.blockedURI + ' on ' + location.pathname))`,
  );
  context.on('console', (message) => {
    const violation = /Content.Security.Policy|Refused to/i.test(message.text());
    if (violation) reports.push(message.text());
  });
  return reports;
}

async function visitScreens(page: Page): Promise<void> {
  for (const path of ['/login', '/register', '/nowhere', '/dashboard/upload', galleryPath, '/dashboard/video']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
}

async function uploadWithPreviews(t: Test, page: Page): Promise<void> {
  await page.goto('/dashboard/upload');
  const vector = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  );
  await choose(page, [
    await png('one.png'),
    { name: 'two.svg', mimeType: 'image/svg+xml', buffer: vector },
    await damaged('cut.jpg'),
  ]);
  await eventually(t, () => page.locator('main img[src^="blob:"]').count(), 2, 'two previews');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await sawToast(t, page, 'Upload failed. Please try again.');
}

async function useGallery(t: Test, page: Page): Promise<void> {
  await page.goto(galleryPath);
  await shows(t, page, 'two.svg', 'one.png', 'a.png');
  await pictureOf(page, 'a.png').click();
  await page.getByRole('dialog', { name: 'a.png' }).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, Delete', exact: true }).click();
  await sawToast(t, page, 'Image deleted.');
}

t.test('no screen breaks its own content security policy', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account });
  const reports = await reportsOf(page.context());
  await page.route('https://media.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'player' }));
  await visitScreens(page);
  await page.getByLabel('Video URL', { exact: true }).fill('https://media.example/film.mp4');
  await page.frameLocator('iframe').getByText('player').waitFor();
  await uploadWithPreviews(t, page);
  await useGallery(t, page);
  t.same(reports, []);
});

t.test('an injected script does not run, in whatever way it comes', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account });
  const reports = await reportsOf(page.context());
  await page.goto(galleryPath);
  await shows(t, page, 'a.png');
  await page.evaluate(`(() => {
    const inline = document.createElement('script');
    inline.textContent = 'window.hacked = 1';
    document.body.append(inline);
    document.body.insertAdjacentHTML('beforeend', '<img src="/nothing.png" onerror="window.hacked = 2">');
    const foreign = document.createElement('script');
    foreign.src = 'https://elsewhere.example/x.js';
    document.body.append(foreign);
  })()`);
  const refused = () => new Set(reports.map((report) => report.split(' ')[0])).size;
  await eventually(t, async () => refused() > 1, true, 'the attempts are reported');
  t.equal(await page.evaluate('window.hacked'), undefined);
});

t.test('an uploaded SVG with a script in it is shown, and its script does not run', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account });
  page.on('dialog', (dialog) => {
    t.fail(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const source =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="alert(1)"><script>alert(2)</script><rect width="40" height="40"/></svg>';
  await page.goto('/dashboard/upload');
  await choose(page, [{ name: 'x.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(source) }]);
  const [answer] = await Promise.all([
    page.waitForResponse('**/api/images/upload'),
    page.getByRole('button', { name: 'Upload', exact: true }).click(),
  ]);
  const { images } = await answer.json();
  t.equal(answer.status(), 201);
  await page.goto(galleryPath);
  await eventually(t, () => naturalWidth(pictureOf(page, 'x.svg').getByRole('img')), 40, 'it is shown');
  const download = page.waitForEvent('download');
  await page.goto(images[0].url).catch(() => {});
  t.equal((await download).url(), images[0].url, 'its own link is a download, not a page that runs');
});
