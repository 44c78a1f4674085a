/** Interactions with 5,000 pending pictures, before and during the upload. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import type { Bench } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { photographs } from '../pictures/photographs.ts';
import { inserted, jpegComment, SOI_BYTES } from '../pictures/pictures.ts';
import { desktop, openSlow, phone, until } from './browser.ts';
import { click, createDriver, type Driver, noteResponses, type Round, responseFigures, tap } from './responses.ts';
import { shellResponses } from './shell-responses.ts';

const FILES = 5000;
const remove = 'button[id^="remove-"]';
const zone = 'main button[aria-describedby]';
const button = (name: string) => `main button:text-is("${name}")`;

/** Makes cut-outs of the photographs, each with different bytes. @returns their paths */
async function makeFiles(bench: Bench): Promise<string[]> {
  const folder = await bench.folder();
  const cutOuts: Buffer[] = [];
  for (const { bytes } of await photographs(bench.say)) {
    cutOuts.push(
      await sharp(bytes).extract({ left: 400, top: 300, width: 800, height: 600 }).jpeg({ quality: 80 }).toBuffer(),
    );
  }
  const paths: string[] = [];
  for (let number = 1; number <= FILES; number += 1) {
    const path = join(folder, `IMG_${String(number).padStart(4, '0')}.jpg`);
    const bytes = cutOuts[number % cutOuts.length] ?? Buffer.alloc(0);
    await writeFile(path, inserted(bytes, SOI_BYTES, jpegComment(number)));
    paths.push(path);
  }
  return paths;
}

const listed = (count: number) => `document.querySelector('main ul')?.querySelector('[aria-setsize="${count}"]')`;

async function choose(page: Page, paths: string[], press: () => Promise<void>): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press()]);
  await chooser.setFiles(paths);
  await until(page, listed(paths.length));
}

/** Drags files from the desktop over the page and drops them. */
async function drop(page: Page, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const at = { x: 700, y: 300, data: { items: [], files: paths, dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at });
  await session.detach();
  await until(page, listed(paths.length));
}

/** Scrolls one screen at a time, like the notches of a wheel. */
async function wheel(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  for (let notch = 0; notch < 20; notch += 1) {
    await page.mouse.wheel(0, 700);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

async function whilePending(page: Page, driver: Driver): Promise<void> {
  const { press, move } = driver;
  await press('remove a file by click', () => click(page, remove));
  await press('remove a file by the Delete key', () => page.keyboard.press('Delete'));
  await move('scroll by the wheel', () => wheel(page));
  await press('End', () => page.keyboard.press('End'));
  await press('remove a file near the end', () => click(page, `li:nth-last-child(3) ${remove}`));
  await press('Home', () => page.keyboard.press('Home'));
  await shellResponses(page, driver);
  await press('go to the gallery', async () => {
    await click(page, 'nav a[href="/dashboard/images"]');
    await until(page, `document.querySelector('main li[data-image]')`);
  });
  await press('come back to the list', async () => {
    await click(page, 'nav a[href="/dashboard/upload"]');
    await until(page, `document.querySelector('[aria-setsize]')`);
  });
}

async function whileSending(page: Page, { press, move }: Driver): Promise<void> {
  await press('Upload', async () => {
    await click(page, button('Upload'));
    await until(page, `document.querySelector('li[data-status="sending"]')`);
  });
  await move('sending for five seconds', () => page.waitForTimeout(5000));
  await press('next theme, while sending', () => click(page, 'aside button:has-text("Theme")'));
  await move('scroll by the wheel, while sending', () => wheel(page));
  await press('Home, while sending', () => page.keyboard.press('Home'));
  // Files being sent come first and cannot be removed.
  await press('End, while sending', () => page.keyboard.press('End'));
  await press('remove a file that waits', () => click(page, `li:nth-last-child(3) ${remove}`));
  await press('Pause', () => click(page, button('Pause')));
  await press('Resume', () => click(page, button('Resume')));
  await press('Cancel', () => click(page, button('Cancel')));
  await press('Clear all', () => click(page, button('Clear all')));
}

async function onDesktop(bench: Bench, browser: Browser, origin: string, token: string, paths: string[]) {
  const { page, close } = await openSlow(browser, origin, desktop, token);
  try {
    await noteResponses(page);
    await page.goto('/dashboard/upload');
    await page.locator(zone).waitFor();
    const driver = createDriver(page, bench.say);
    await driver.press('choose', () => choose(page, paths, () => click(page, zone)));
    await whilePending(page, driver);
    await whileSending(page, driver);
    await driver.move('drop', () => drop(page, paths));
    return driver.end();
  } finally {
    await close();
  }
}

async function onPhone(bench: Bench, browser: Browser, origin: string, token: string, paths: string[]) {
  const { page, close } = await openSlow(browser, origin, phone, token);
  try {
    await noteResponses(page);
    await page.goto('/dashboard/upload');
    await page.locator(zone).waitFor();
    const driver = createDriver(page, bench.say);
    await driver.press('choose', () => choose(page, paths, () => tap(page, zone)));
    await driver.press('remove a file', () => tap(page, remove));
    await driver.press('open the menu', () => tap(page, 'nav button[popovertarget]'));
    await driver.press('close the menu', () => tap(page, 'nav button[popovertarget]'));
    await driver.press('next theme', () => tap(page, 'header button:nth-of-type(2)'));
    await driver.press('Upload', async () => {
      await tap(page, button('Upload'));
      await until(page, `document.querySelector('li[data-status="sending"]')`);
    });
    await driver.press('Pause', () => tap(page, button('Pause')));
    return driver.end();
  } finally {
    await close();
  }
}

export async function uploadResponses(
  bench: Bench,
  browser: Browser,
  origin: string,
  token: string,
): Promise<Figure[]> {
  const paths = await makeFiles(bench);
  const [wide, narrow]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.say(`${FILES} files, round ${round + 1}`);
    wide.push(await onDesktop(bench, browser, origin, token, paths));
    narrow.push(await onPhone(bench, browser, origin, token, paths));
  }
  return [...responseFigures(`${FILES} files`, wide), ...responseFigures(`${FILES} files on a phone`, narrow)];
}
