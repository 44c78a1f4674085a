import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { openStage, type PageOptions } from '../testing/stage.ts';
import { box, frame, openVideoPage, refusal } from '../testing/video.ts';

const stage = await openStage(t);
const openVideo = (t: Test, options: PageOptions = {}) => openVideoPage(t, stage, options);

const embeds: Record<string, string> = {
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

t.test('page links of known providers become embed links, and other links stay the same', async (t) => {
  const page = await openVideo(t);
  for (const [link, source] of Object.entries(embeds)) {
    await box(page).fill(link);
    await eventually(t, () => frame(page).getAttribute('src'), source, link);
    t.equal(await refusal(page).count(), 0);
  }
});

t.test('a browser without URL.canParse, such as Safari 16, plays videos', async (t) => {
  const page = await openVideo(t, { prepare: (context) => context.addInitScript('delete URL.canParse') });
  await box(page).fill('https://youtu.be/dQw4w9WgXcQ');
  await eventually(
    t,
    () => frame(page).getAttribute('src'),
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
    'the embed link',
  );
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

/** Enters the text and asserts an empty frame without a source, and a hint. */
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

t.test('only http and https reach the frame, and other texts show a hint', async (t) => {
  const page = await openVideo(t);
  failsOnScript(t, page);
  for (const text of refused) await isRefused(t, page, text);
  await isRefused(t, page, `${stage.origin}/dashboard/upload`);
  const framed = () =>
    page
      .frames()
      .map((one) => one.url())
      .filter((url) => url !== page.url());
  await eventually(t, framed, ['about:blank'], 'only the last frame remains, and it is empty');
});

const breakOut =
  '<script>try { top.location = "https://elsewhere.example/"; document.write("led away") } catch { document.write("held back") }</script>';

t.test('a frame cannot navigate the page around it', async (t) => {
  const page = await openVideo(t);
  await page.route('https://hostile.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: breakOut }),
  );
  await box(page).fill('https://hostile.example/');
  await page.frameLocator('iframe').getByText('held back').waitFor();
  t.equal(new URL(page.url()).pathname, '/dashboard/video');
});
