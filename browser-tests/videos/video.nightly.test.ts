import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { shiftsOf, watchShifts } from '../testing/checks/shifts.ts';
import { corpusLines } from '../testing/corpus.ts';
import { eventually } from '../testing/eventually.ts';
import { hold } from '../testing/hold.ts';
import { textOf } from '../testing/in-page.ts';
import { openSignedIn, openStage, type PageOptions } from '../testing/stage.ts';
import { box, frame, openVideoPage } from '../testing/video.ts';

const stage = await openStage(t);
const openVideo = (t: Test, options: PageOptions = {}) => openVideoPage(t, stage, options);

t.test('the heading is Arabic, and no frame is shown without a text', async (t) => {
  const page = await openVideo(t);
  const heading = page.getByRole('heading', { level: 1 });
  t.match(await textOf(heading), /فيديو/, 'contains “video”');
  t.match(await textOf(heading), /سحابي/, 'contains “cloud”');
  t.equal(await heading.getAttribute('lang'), 'ar');
  t.equal(await heading.getAttribute('dir'), 'rtl');
  t.equal(await frame(page).count(), 0);
});

t.test('nothing shifts when the Arabic font arrives after the heading (phone)', async (t) => {
  const { page } = await openSignedIn(t, stage, '/login', { size: 'phone' });
  await page.addInitScript(watchShifts);
  const { release } = await hold(page, '**/vazirmatn-arabic-*.woff2');
  await page.goto('/dashboard/video', { waitUntil: 'commit' });
  await box(page).waitFor();
  t.same(await shiftsOf(page), []);
  release();
  await page.evaluate("document.fonts.load('1em Vazirmatn', 'م')");
  t.same(await shiftsOf(page), []);
});

t.test('the frame appears with the first letter and disappears with the last', async (t) => {
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
  t.test(`the frame is 16:9 and allows autoplay, fullscreen and picture-in-picture (${size})`, async (t) => {
    const page = await openVideo(t, { size });
    await box(page).fill('https://media.example/film.mp4');
    // The frame is replaced once typing has paused.
    await page.locator('iframe[src]').waitFor();
    const { width, height } = (await frame(page).boundingBox()) ?? { width: 0, height: 1 };
    t.ok(Math.abs(width / height - 16 / 9) < 0.02, `${width} x ${height}`);
    const allowed = ((await frame(page).getAttribute('allow')) ?? '').split(/;\s*/);
    for (const feature of ['autoplay', 'fullscreen', 'picture-in-picture']) t.ok(allowed.includes(feature), feature);
    t.not(await frame(page).getAttribute('allowfullscreen'), null);
    t.ok(await frame(page).getAttribute('title'), 'the frame has a title');
  });
}

t.test('a link typed letter by letter is loaded once it is complete', async (t) => {
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
  t.equal(await frame(page).count(), 1, 'the frame appears at once');
  t.same(loads, []);
  await page.clock.runFor(500);
  await eventually(t, () => loads, ['https://media.example/film'], 'one load');
});

function failsOnScript(t: Test, page: Page): void {
  page.on('dialog', (dialog) => {
    t.fail(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

const hostile = corpusLines('list_hostile_url_schemes.txt');

t.test(
  'no hostile scheme of the corpus reaches the frame',
  { skip: !hostile && 'the corpus is missing' },
  async (t) => {
    const page = await openVideo(t);
    failsOnScript(t, page);
    for (const text of hostile ?? []) {
      await box(page).fill('');
      await box(page).fill(text);
      await frame(page).waitFor();
      const source = (await frame(page).getAttribute('src')) ?? 'https:';
      t.match(source, /^https?:/, text);
    }
  },
);

const pasted = corpusLines('list_video_urls.txt');

t.test('all video links of the corpus are played', { skip: !pasted && 'the corpus is missing' }, async (t) => {
  const page = await openVideo(t);
  for (const text of (pasted ?? []).filter((line) => /^https?:\/\//.test(line)).slice(0, 40)) {
    await box(page).fill('');
    await box(page).fill(text);
    await eventually(t, async () => /^https?:/.test((await frame(page).getAttribute('src')) ?? ''), true, text);
  }
});
