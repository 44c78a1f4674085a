/**
 * `npm run screenshots [-- gallery preview …]`: shoots all or some screens in every size, theme and language into
 * screenshots/, and the README's into docs/images/. Requires /usr/bin/chromium.
 */
import './node-version.mjs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { build } from './building/build.mjs';
import { root } from './building/targets.mjs';
import { administration, makeAdministration } from './screenshots/admin-screens.mjs';
import { collecting, makeCollectLinks } from './screenshots/collect-screens.mjs';
import { later } from './screenshots/later-screens.mjs';
import { readPictures } from './screenshots/pictures.mjs';
import { screens } from './screenshots/screens.mjs';
import {
  logInElsewhere,
  makeAlbum,
  makeStableLinks,
  setEnds,
  signUp,
  startServer,
  upload,
} from './screenshots/server.mjs';
import { makeShares, shares } from './screenshots/share-screens.mjs';
import { readWords } from './screenshots/words.mjs';

const devices = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const themes = ['light', 'dark'];
/** The browser's locales, with the suffix of their file names. */
const languages = { 'en-US': '', 'ar-EG': '-ar' };
const folder = join(root, 'screenshots');
const readmeLimit = 300_000;
const readmePictures = {
  gallery: { screen: 'gallery', look: '-desktop-light' },
  'gallery-phone-ar': { screen: 'gallery', look: '-ar-phone-dark' },
  preview: { screen: 'preview-details', look: '-desktop-dark' },
  'share-dialog': { screen: 'share', look: '-desktop-light' },
  'share-page': { screen: 'share-page', look: '-desktop-light' },
  'my-links': { screen: 'shares', look: '-desktop-light' },
  'collect-dialog': { screen: 'collect', look: '-desktop-light' },
  'collect-page': { screen: 'collect-sent', look: '-phone-light' },
  'upload-phone': { screen: 'upload-running', look: '-phone-light' },
};

const wanted = process.argv.slice(2);
const chosen = [...screens, ...later, ...shares, ...collecting, ...administration].filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name),
);

function storageOf(origin, session) {
  if (!session) return undefined;
  const localStorage = [
    { name: 'access_token', value: session.access_token },
    { name: 'user', value: JSON.stringify(session.user) },
  ];
  return { cookies: [], origins: [{ origin, localStorage }] };
}

/** Makes text wait for its font: on a slow first load the page would keep the system's font (client/styles/fonts.css). */
const waitForFont = (context) =>
  context.route(/\.css$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/font-display:\s*optional/g, 'font-display:block');
    await route.fulfill({ response, body });
  });

/** Waits for fonts, backgrounds and animations, then takes a screenshot. */
async function shoot(page, path) {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const grounds = [...document.querySelectorAll('*')].flatMap((one) => [
      ...getComputedStyle(one).backgroundImage.matchAll(/url\("([^"]+)"\)/g),
    ]);
    const decode = (src) => Object.assign(new Image(), { src }).decode();
    await Promise.all([...new Set(grounds.map(([, src]) => src))].map((src) => decode(src).catch(() => {})));
    // Pictures that are decoded beside the paint appear later than the page.
    await Promise.all([...document.images].filter((img) => img.complete).map((img) => img.decode().catch(() => {})));
    const moving = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  });
  await page.screenshot({ path });
}

async function take({ browser, origin, sessions, pictures, wordsIn }, screen, locale, device, colorScheme) {
  const context = await browser.newContext({
    ...devices[device],
    baseURL: origin,
    colorScheme,
    locale,
    reducedMotion: 'reduce',
    storageState: storageOf(origin, sessions[screen.as]),
  });
  try {
    await waitForFont(context);
    const page = await context.newPage();
    await screen.show(page, pictures, wordsIn(locale));
    await shoot(page, join(folder, `${screen.name}${languages[locale]}-${device}-${colorScheme}.png`));
  } finally {
    // A lazy style sheet may still be loading.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
}

/** Writes the README's pictures among the chosen screens, with few enough colours for the size limit. */
async function forReadme() {
  await mkdir(join(root, 'docs/images'), { recursive: true });
  for (const [name, shot] of Object.entries(readmePictures)) {
    if (!chosen.some((screen) => screen.name === shot.screen)) continue;
    await reduce(join(folder, `${shot.screen}${shot.look}.png`), `docs/images/${name}.png`);
  }
}

async function reduce(from, to) {
  for (const colours of [256, 192, 128, 96, 64]) {
    const bytes = await sharp(from).png({ palette: true, colours, dither: 0.9, effort: 10 }).toBuffer();
    if (bytes.length > readmeLimit) continue;
    await sharp(bytes).toFile(join(root, to));
    console.log(`${to}: ${bytes.length} bytes, ${colours} colours`);
    return;
  }
  throw new Error(`${to} does not fit into ${readmeLimit} bytes.`);
}

await build(['server', 'client']);
await mkdir(folder, { recursive: true });
const pictures = await readPictures();
const server = await startServer();
const { origin, stop } = server;
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
});
try {
  const [owner, newcomer, blank, lender, sharer, collector, manager] = [
    await signUp(origin, 'amira'),
    await signUp(origin, 'noor'),
    await signUp(origin, 'sam'),
    await signUp(origin, 'lena'),
    await signUp(origin, 'mira'),
    await signUp(origin, 'sara'),
    await signUp(origin, 'huda'),
  ];
  await upload(origin, owner, pictures);
  await logInElsewhere(origin, 'amira');
  await makeAlbum(origin, owner, 'By the water', [2, 7, 10]);
  await makeAlbum(origin, owner, 'Nights', [4, 11]);
  await makeAlbum(origin, owner, 'Southwest', [0, 1, 2, 3, 4, 5, 6], true);
  await upload(origin, lender, pictures.slice(0, 6));
  await setEnds(origin, lender, { 0: '3d', 1: '1h', 2: '2y', 4: '5m' });
  await makeAlbum(origin, lender, 'Trip', [0, 1, 2, 3], true);
  await makeStableLinks(origin, lender, { banner: 5, 'garden-2026': 4, logo: 2 });
  await upload(origin, sharer, pictures);
  await makeAlbum(origin, sharer, 'Southwest', [0, 1, 2, 3, 4, 5, 6], true);
  await makeShares(origin, sharer);
  await makeCollectLinks(origin, collector, pictures);
  await makeAdministration(server, manager);
  const stage = {
    browser,
    origin,
    pictures,
    sessions: { owner, newcomer, blank, lender, sharer, collector, manager },
    wordsIn: await readWords(),
  };
  for (const screen of chosen)
    for (const locale of Object.keys(languages))
      for (const device of Object.keys(devices))
        for (const theme of themes) await take(stage, screen, locale, device, theme);
  await forReadme();
} finally {
  await browser.close();
  await stop();
}
