import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { corpusLines } from './testing/corpus.ts';
import { eventually } from './testing/eventually.ts';
import { textOf } from './testing/in-page.ts';
import { openStage, type PageOptions } from './testing/stage.ts';
import { box, frame, openVideoPage, refusal } from './testing/video.ts';

const stage = await openStage(t);
const openVideo = (t: Test, options: PageOptions = {}) => openVideoPage(t, stage, options);

t.test('the heading is Arabic, and there is no frame before there is a text', async (t) => {
  const page = await openVideo(t);
  const heading = page.getByRole('heading', { level: 1 });
  t.match(await textOf(heading), /فيديو/, 'of a video player');
  t.match(await textOf(heading), /سحابي/, 'from a cloud provider');
  t.equal(await heading.getAttribute('lang'), 'ar');
  t.equal(await heading.getAttribute('dir'), 'rtl');
  t.equal(await frame(page).count(), 0);
});

t.test('the frame appears with the first letter and goes with the last', async (t) => {
  const page = await openVideo(t);
  await box(page).pressSequentially('h');
  await frame(page).waitFor();
  await box(page).press('Backspace');
  await frame(page).waitFor({ state: 'detached' });
  await box(page).fill('https://media.example/film.mp4');
  await frame(page).waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await frame(page).waitFor({ state: 'detached' });
  t.equal(await box(page).inputValue(), '');
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`the frame is 16:9 and may play, fill the screen and float (${size})`, async (t) => {
    const page = await openVideo(t, { size });
    await box(page).fill('https://media.example/film.mp4');
    // The frame is made anew when the text has come to rest.
    await page.locator('iframe[src]').waitFor();
    const { width, height } = (await frame(page).boundingBox()) ?? { width: 0, height: 1 };
    t.ok(Math.abs(width / height - 16 / 9) < 0.02, `${width} x ${height}`);
    const allowed = ((await frame(page).getAttribute('allow')) ?? '').split(/;\s*/);
    for (const feature of ['autoplay', 'fullscreen', 'picture-in-picture']) t.ok(allowed.includes(feature), feature);
    t.not(await frame(page).getAttribute('allowfullscreen'), null);
    t.ok(await frame(page).getAttribute('title'), 'and has a name');
  });
}

const links: Record<string, string> = {
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ': 'https://www.youtube.com/embed/dQw4w9WgXcQ',
  'https://youtu.be/dQw4w9WgXcQ?t=1m30s': 'https://www.youtube.com/embed/dQw4w9WgXcQ?start=90',
  'youtube.com/shorts/dQw4w9WgXcQ': 'https://www.youtube.com/embed/dQw4w9WgXcQ',
  'https://vimeo.com/76979871': 'https://player.vimeo.com/video/76979871',
  'https://www.dailymotion.com/video/x44lvd': 'https://www.dailymotion.com/embed/video/x44lvd',
  'https://dai.ly/x44lvd': 'https://www.dailymotion.com/embed/video/x44lvd',
  'https://www.twitch.tv/videos/106400740': 'https://player.twitch.tv/?video=v106400740&parent=127.0.0.1',
  'https://www.twitch.tv/twitch': 'https://player.twitch.tv/?channel=twitch&parent=127.0.0.1',
  'https://media.example/film.mp4': 'https://media.example/film.mp4',
  'http://media.example/live?key=1#now': 'http://media.example/live?key=1#now',
};

t.test('page links of the known providers become embed links, other links go through as they are', async (t) => {
  const page = await openVideo(t);
  for (const [link, source] of Object.entries(links)) {
    await box(page).fill(link);
    await eventually(t, () => frame(page).getAttribute('src'), source, link);
    t.equal(await refusal(page).count(), 0);
  }
});

t.test('a link typed letter by letter is loaded once it is whole', async (t) => {
  const page = await openVideo(t);
  await page.clock.install();
  await page.reload();
  await box(page).waitFor();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const loads: string[] = [];
  page.on('request', (request) => {
    if (request.frame() !== page.mainFrame()) loads.push(request.url());
  });
  await box(page).pressSequentially('https://media.example/film');
  t.equal(await frame(page).count(), 1, 'the frame is there at once');
  t.same(loads, []);
  await page.clock.runFor(500);
  await eventually(t, () => loads, ['https://media.example/film'], 'one load');
});

const refused = [
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript://https://www.youtube.com/watch?v=dQw4w9WgXcQ%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://media.example/5',
  'file:///etc/passwd',
  'ftp://media.example/film.mp4',
  '//media.example/film.mp4',
  'https://user:secret@media.example/film.mp4',
  'words without a link',
];

/** Types the text, and looks into the frame: no source, nothing in it, and a word about what it takes. */
async function isRefused(t: Test, page: Page, text: string): Promise<void> {
  await box(page).fill('');
  await frame(page).waitFor({ state: 'detached' });
  await box(page).fill(text);
  await refusal(page).waitFor();
  t.equal(await frame(page).getAttribute('src'), null, `refused: ${text}`);
  t.equal(await frame(page).getAttribute('srcdoc'), null);
}

function failsOnScript(t: Test, page: Page): void {
  page.on('dialog', (dialog) => {
    t.fail(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

t.test('anything but http and https never reaches the frame, which says what it takes', async (t) => {
  const page = await openVideo(t);
  failsOnScript(t, page);
  for (const text of refused) await isRefused(t, page, text);
  await isRefused(t, page, `${stage.origin}/dashboard/upload`);
  const framed = () =>
    page
      .frames()
      .map((one) => one.url())
      .filter((url) => url !== page.url());
  await eventually(t, framed, ['about:blank'], 'the last frame is empty, those before it are gone');
});

const hostile = corpusLines('list_hostile_url_schemes.txt');

t.test('no hostile scheme of the corpus reaches the frame', { skip: !hostile && 'the corpus is absent' }, async (t) => {
  const page = await openVideo(t);
  failsOnScript(t, page);
  for (const text of hostile ?? []) {
    await box(page).fill('');
    await box(page).fill(text);
    await frame(page).waitFor();
    const source = (await frame(page).getAttribute('src')) ?? 'https:';
    t.match(source, /^https?:/, text);
  }
});

const pasted = corpusLines('list_video_urls.txt');

t.test('the video links of the corpus are all played', { skip: !pasted && 'the corpus is absent' }, async (t) => {
  const page = await openVideo(t);
  for (const text of (pasted ?? []).filter((line) => /^https?:\/\//.test(line)).slice(0, 40)) {
    await box(page).fill('');
    await box(page).fill(text);
    await eventually(t, async () => /^https?:/.test((await frame(page).getAttribute('src')) ?? ''), true, text);
  }
});

const breakOut =
  '<script>try { top.location = "https://elsewhere.example/"; document.write("led away") } catch { document.write("held back") }</script>';

t.test('a frame cannot lead the page around it away', async (t) => {
  const page = await openVideo(t);
  await page.route('https://hostile.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: breakOut }),
  );
  await box(page).fill('https://hostile.example/');
  await page.frameLocator('iframe').getByText('held back').waitFor();
  t.equal(new URL(page.url()).pathname, '/dashboard/video');
});
