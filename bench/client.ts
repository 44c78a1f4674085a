/** Measures what a visitor waits for in Chromium over Slow 4G, with the processor slowed four times. See README.md. */
import { request } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import type { Bench } from './bench.ts';
import type { Figure, Round } from './figure.ts';
import { signIn } from './product/account.ts';
import { startServer } from './product/bench-server.ts';
import { addWhole, fill } from './product/fill.ts';
import { desktop, launch, type Notes, notesOf, openSlow, phone, roundTripOf, until } from './screens/browser.ts';
import { galleryResponses } from './screens/gallery-responses.ts';
import { scrollFigures } from './screens/scrolling.ts';
import { uploadResponses } from './screens/upload-responses.ts';

const IMAGES = 100;
const gallery = '/dashboard/images';

type Arrivals = { script: number; list: number; thumbnail: number };
type Loading = Notes & Arrivals & { roundTrip: number };

/** When the last script that the cards needed, the list, and the first thumbnail's bytes arrived. */
const arrivals = `(() => {
  const entries = performance.getEntriesByType('resource');
  const end = (names, before) => Math.max(0, ...entries
    .filter(({ name, responseEnd }) => names.test(name) && responseEnd <= before)
    .map(({ responseEnd }) => responseEnd));
  return { script: end(/\\.js$/, window.__notes.cards), list: end(/\\/api\\/images\\/\\?page=1/, window.__notes.cards),
    thumbnail: Math.min(...entries.filter(({ name }) => /\\/thumbnail\\./.test(name)).map(({ responseEnd }) => responseEnd)) };
})()`;

async function loadGallery(browser: Browser, origin: string, token: string): Promise<Loading> {
  const { page, close } = await openSlow(browser, origin, desktop, token);
  try {
    await page.goto(gallery, { waitUntil: 'commit' });
    await until(page, 'window.__notes?.all > 0');
    const times = await page.evaluate<Arrivals>(arrivals);
    // Waits for fonts, late styles and fading pictures, which may shift the layout.
    await page.waitForLoadState('networkidle');
    return { ...(await notesOf(page)), ...times, roundTrip: await roundTripOf(page) };
  } finally {
    await close();
  }
}

async function loadingFigures(bench: Bench, browser: Browser, origin: string, token: string): Promise<Figure[]> {
  const loads: Loading[] = [];
  for (let round = 0; round < bench.rounds; round += 1) loads.push(await loadGallery(browser, origin, token));
  const time = (name: string, of: (load: Loading) => number): Figure => ({
    name,
    unit: 'ms',
    against: 'a round trip',
    rounds: loads.map((load) => ({ ours: of(load), limit: load.roundTrip })),
  });
  return [
    {
      ...time('navigation to heading painted', ({ heading }) => heading),
      goal: { atMost: 3200, of: 'ours' },
    },
    time('navigation to script arrived', ({ script }) => script),
    time('navigation to list answered', ({ list }) => list),
    time('navigation to cards with their thumbhashes', ({ cards }) => cards),
    {
      ...time('navigation to first thumbnail painted', ({ first }) => first),
      goal: { atMost: 4500, of: 'ours' },
    },
    time('navigation to all thumbnails of the first screen painted', ({ all }) => all),
    time('script arrived to cards: the processor alone', ({ cards, script }) => cards - script),
    {
      ...time('cards to first thumbnail arrived: the network alone', ({ thumbnail, cards }) =>
        Math.max(0, thumbnail - cards),
      ),
      goal: { atMost: 1 },
    },
    time('cards to first thumbnail painted: both', ({ first, cards }) => first - cards),
    {
      name: 'layout shift of the gallery',
      unit: 'CLS',
      goal: { atMost: 0 },
      rounds: loads.map(({ shift }) => ({ ours: shift })),
    },
  ];
}

/** @returns bytes of an answer's body in this encoding */
function weigh(url: string, encoding: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': encoding } }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      answer.on('error', reject).on('end', () => resolve(bytes));
    })
      .on('error', reject)
      .end();
  });
}

/** Scripts requested before the heading appeared, without those that are loaded when idle. */
const scripts = `performance.getEntriesByType('resource')
  .filter(({ name, startTime }) => name.endsWith('.js') && startTime < window.__notes.heading)
  .map(({ name }) => name)`;

/** kB of script, by gzip, in English. Arabic has some 2.5 kB more (scripts/check-bundle.mjs). */
const mostScript = (path: string) => (path === '/login' ? 95 : 105);

async function weighScreen(browser: Browser, origin: string, path: string, token?: string): Promise<Figure[]> {
  const { page, close } = await openSlow(browser, origin, desktop, token);
  try {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const names = await page.evaluate<string[]>(scripts);
    const sum = async (encoding: string) =>
      (await Promise.all(names.map((name) => weigh(name, encoding)))).reduce((total, bytes) => total + bytes, 0) / 1000;
    const shift = (await notesOf(page)).shift;
    return [
      {
        name: `script of ${path}, gzip`,
        unit: 'kB',
        goal: { atMost: mostScript(path) },
        rounds: [{ ours: await sum('gzip') }],
      },
      { name: `script of ${path}, brotli`, unit: 'kB', rounds: [{ ours: await sum('br') }] },
      { name: `layout shift of ${path}`, unit: 'CLS', goal: { atMost: 0 }, rounds: [{ ours: shift }] },
    ];
  } finally {
    await close();
  }
}

/** The largest Arabic font arrives late there, and the page has the longest lines. */
async function videoShift(browser: Browser, origin: string, token: string): Promise<Figure> {
  const { page, close } = await openSlow(browser, origin, { ...phone, locale: 'ar-EG' }, token);
  try {
    await page.goto('/dashboard/video');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    const { shift } = await notesOf(page);
    return { name: 'the same on a phone, in Arabic', unit: 'CLS', goal: { atMost: 0 }, rounds: [{ ours: shift }] };
  } finally {
    await close();
  }
}

/** Widths of the screen's pictures in device pixels: of the file, and as displayed. */
const widths = (selector: string) => `[...document.querySelectorAll(${JSON.stringify(selector)})]
  .filter((img) => { const { top, bottom } = img.getBoundingClientRect(); return bottom > 0 && top < innerHeight; })
  .map((img) => {
    const { width, height } = img.getBoundingClientRect();
    const ratio = img.naturalWidth / img.naturalHeight;
    return { ours: img.naturalWidth, limit: Math.max(width, height * ratio) * devicePixelRatio };
  })`;

async function openOverlay(page: Page): Promise<void> {
  await page.locator('main li img').first().tap();
  await until(page, `document.querySelector('dialog img[data-state="there"]')`);
}

async function phoneFigures(browser: Browser, origin: string, token: string): Promise<Figure[]> {
  const { page, close } = await openSlow(browser, origin, phone, token);
  const loaded: string[] = [];
  page.on('requestfinished', (each) => loaded.push(each.url()));
  try {
    await page.goto(gallery, { waitUntil: 'commit' });
    await until(page, 'window.__notes?.all > 0');
    const cards = await page.evaluate<Round[]>(widths('main li img'));
    await openOverlay(page);
    const overlay = await page.evaluate<Round[]>(widths('dialog img[data-state="there"]'));
    const pictures = loaded.filter((url) => /\/i\/[^/]+(?:\/|\.)/.test(url));
    const originals = pictures.filter((url) => !/\/(?:thumbnail|screen)\.\w+$/.test(url));
    const against = 'pixels it is shown at';
    return [
      {
        name: 'width of a card on a phone of 390 x 844 at 3x',
        unit: 'px',
        against,
        rounds: cards,
        goal: { atMost: 1 },
      },
      { name: 'width of the overlay there', unit: 'px', against, rounds: overlay },
      { name: 'originals loaded there', unit: 'files', rounds: [{ ours: originals.length }], goal: { atMost: 0 } },
    ];
  } finally {
    await close();
  }
}

export async function measure(bench: Bench): Promise<Figure[]> {
  const usual = await startServer(bench);
  const token = await signIn(usual.origin);
  bench.say(`Filling a gallery with ${IMAGES} pictures …`);
  await fill(usual, token, bench, 0, IMAGES - 1);
  await addWhole(usual, token, bench);
  const browser = await launch(bench);
  const only = bench.options.part;
  const figures: Figure[] = [];
  const part = async (name: string, run: () => Promise<Figure[]>) => {
    if (only === undefined || only === name) figures.push(...(await run()));
  };
  await part('loading', () => loadingFigures(bench, browser, usual.origin, token));
  await part('weight', async () => {
    const screens: Figure[] = [];
    for (const path of ['/login', '/register']) screens.push(...(await weighScreen(browser, usual.origin, path)));
    for (const path of ['/dashboard/upload', gallery, '/dashboard/video'])
      screens.push(...(await weighScreen(browser, usual.origin, path, token)));
    screens.push(await videoShift(browser, usual.origin, token));
    return screens;
  });
  await part('phone', () => phoneFigures(browser, usual.origin, token));
  await usual.stop();
  const wide = await startServer(bench, { dataDir: usual.dataDir, environment: { PAGE_SIZE: String(IMAGES) } });
  await part('scroll', () => scrollFigures(bench, browser, wide.origin, token));
  await part('gallery', async () => {
    // Fills three pages.
    await fill(wide, token, bench, IMAGES, 2.4 * IMAGES);
    return galleryResponses(bench, browser, wide.origin, token);
  });
  await part('files', () => uploadResponses(bench, browser, wide.origin, token));
  return figures;
}
