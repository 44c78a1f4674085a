/** Interactions with a gallery of 100 pictures per page. */
import type { Browser, Page } from 'playwright-core';
import type { Bench } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { desktop, openSlow, phone, type Screen, unhurried, until } from './browser.ts';
import { click, createDriver, type Driver, noteResponses, type Round, responseFigures, tap } from './responses.ts';
import { shellResponses } from './shell-responses.ts';

const card = (number: number) => `main li[data-image]:nth-of-type(${number})`;
const tool = (word: string) => `[role="toolbar"] > button:has-text("${word}")`;
const selected = (count: number) => `document.querySelectorAll('main li[data-selected]').length === ${count}`;
const overlay = `document.querySelector('dialog[open] [data-current] img[data-state="there"]')`;
const noOverlay = `!document.querySelector('dialog[open]')`;
const onPage = (page: number) =>
  `document.querySelector('nav p.num')?.textContent.startsWith('Page ${page} ') && document.querySelector('main li[data-image]')`;

/** Opens the gallery and waits until idle loading has finished, as for a user who looks before clicking. */
async function open(browser: Browser, origin: string, token: string, screen: Screen) {
  const opened = await openSlow(browser, origin, screen, token);
  await opened.session.send('Network.emulateNetworkConditions', unhurried);
  await noteResponses(opened.page);
  await opened.page.goto('/dashboard/images');
  await until(opened.page, onPage(1));
  await opened.page.waitForLoadState('networkidle');
  return opened;
}

async function choosing(page: Page, { press }: Driver): Promise<void> {
  await press('begin to select', () => click(page, '#select-images'));
  await press('select one', () => click(page, `${card(3)} [data-picture]`));
  await press('select a range with Shift', async () => {
    await click(page, `${card(60)} [data-picture]`, 'Shift');
    await until(page, selected(58));
  });
  await press('select all', async () => {
    await click(page, tool('Select all'));
    await until(page, selected(100));
  });
  await press('open the menu of formats', () => click(page, '[role="toolbar"] > button[popovertarget]'));
  await press('close it with Esc', () => page.keyboard.press('Escape'));
  await press('leave with Esc', () => page.keyboard.press('Escape'));
  await press('select the page with Ctrl+A', async () => {
    await page.locator(`${card(1)} [data-picture]`).focus();
    await page.keyboard.press('Control+a');
    await until(page, selected(100));
  });
  await press('leave by the bar', () => click(page, tool('Cancel')));
  await page.evaluate('scrollTo(0, 0)');
  const first = await page.locator(card(1)).boundingBox();
  const [left, top] = [(first?.x ?? 40) - 12, (first?.y ?? 200) - 6];
  await press('select by a frame', async () => {
    await page.mouse.move(left, top);
    await page.mouse.down();
    await page.mouse.move(1380, 860, { steps: 30 });
    await until(page, `document.querySelectorAll('main li[data-selected]').length > 3`);
    await page.mouse.up();
  });
  await press('leave what it has selected', () => page.keyboard.press('Escape'));
}

async function looking(page: Page, { press }: Driver): Promise<void> {
  await press('open the overlay', async () => {
    await click(page, `${card(5)} [data-picture]`);
    await until(page, overlay);
  });
  await press('the next picture, five times', async () => {
    for (let time = 0; time < 5; time += 1) {
      await page.keyboard.press('ArrowRight');
      await until(page, overlay);
    }
  });
  await press('edit', () => click(page, 'dialog aside button:has-text("Rename or describe")'));
  await press('type a description', () => page.keyboard.type('A day at the sea', { delay: 60 }));
  await press('save', async () => {
    await page.keyboard.press('Tab');
    await page.keyboard.type('with everybody', { delay: 60 });
    await click(page, 'dialog form button[type="submit"]');
    await until(page, `!document.querySelector('dialog form')`);
  });
  await press('close the overlay', async () => {
    await page.keyboard.press('Escape');
    await until(page, noOverlay);
  });
}

async function finding(page: Page, driver: Driver): Promise<void> {
  const { press, move } = driver;
  await move('scroll by the wheel', async () => {
    await page.mouse.move(700, 500);
    for (let notch = 0; notch < 20; notch += 1) {
      await page.mouse.wheel(0, 500);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
  });
  await press('Copy', () => click(page, `${card(90)} button:has-text("Copy")`));
  await press('ask to delete', async () => {
    await click(page, `${card(90)} button[data-danger]`);
    await until(page, `document.querySelector('.swal2-popup, [aria-modal="true"]')`);
  });
  await press('do not delete', () => page.keyboard.press('Escape'));
  await press('next page', async () => {
    await click(page, 'nav[aria-label="Pages"] button:last-child');
    await until(page, onPage(2));
  });
  await press('previous page', async () => {
    await click(page, 'nav[aria-label="Pages"] button:first-child');
    await until(page, onPage(1));
  });
  await shellResponses(page, driver);
  await press('what can be searched', () => click(page, 'summary'));
  await press('and away', () => click(page, 'summary'));
  await press('sort by name', async () => {
    await page.locator('main select').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await until(page, `location.search.includes('sort=') && ${onPage(1)}`);
    await page.waitForLoadState('networkidle');
  });
  await press('type in the search box', async () => {
    await click(page, 'search input');
    await page.keyboard.type('cut-out-1', { delay: 60 });
    await until(page, `location.search.includes('search=') && document.querySelector('main li[data-image]')`);
    await page.waitForLoadState('networkidle');
  });
  await press('clear it with Esc', async () => {
    await page.keyboard.press('Escape');
    await until(page, `!location.search.includes('search=') && ${onPage(1)}`);
  });
}

async function onDesktop(bench: Bench, browser: Browser, origin: string, token: string): Promise<Round> {
  const { page, close } = await open(browser, origin, token, desktop);
  try {
    const driver = createDriver(page, bench.say);
    await choosing(page, driver);
    await looking(page, driver);
    await finding(page, driver);
    return driver.end();
  } finally {
    await close();
  }
}

async function onPhone(bench: Bench, browser: Browser, origin: string, token: string): Promise<Round> {
  const { page, close } = await open(browser, origin, token, phone);
  try {
    const { press, end } = createDriver(page, bench.say);
    await press('open the menu', () => tap(page, 'nav button[popovertarget]'));
    await press('close the menu', () => tap(page, 'nav button[popovertarget]'));
    await press('begin to select', () => tap(page, '#select-images'));
    await press('select one', () => tap(page, `${card(3)} [data-picture]`));
    await press('select all', async () => {
      await tap(page, tool('Select all'));
      await until(page, selected(100));
    });
    await press('leave', () => tap(page, tool('Cancel')));
    await press('open the overlay', async () => {
      await tap(page, `${card(5)} [data-picture]`);
      await until(page, overlay);
    });
    await press('close the overlay', async () => {
      await page.keyboard.press('Escape');
      await until(page, noOverlay);
    });
    await press('next page', async () => {
      await tap(page, 'nav[aria-label="Pages"] button:last-child');
      await until(page, onPage(2));
    });
    return end();
  } finally {
    await close();
  }
}

export async function galleryResponses(
  bench: Bench,
  browser: Browser,
  origin: string,
  token: string,
): Promise<Figure[]> {
  const [wide, narrow]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.say(`gallery, round ${round + 1}`);
    wide.push(await onDesktop(bench, browser, origin, token));
    narrow.push(await onPhone(bench, browser, origin, token));
  }
  return [...responseFigures('gallery', wide), ...responseFigures('gallery on a phone', narrow)];
}
