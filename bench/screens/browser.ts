/** Chromium with a network and a processor as slow as a phone's, and what a page reports about its loading. */
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { startChromium } from '../../browser-tests/testing/chromium.ts';
import type { Bench } from '../bench.ts';
import { MissingTool } from '../tools/tools.ts';

export async function launch(bench: Bench): Promise<Browser> {
  const browser = await startChromium();
  if (!browser) throw new MissingTool('no Chromium was found: install chromium');
  bench.after(() => browser.close());
  return browser;
}

/** Slow 4G as defined by Lighthouse: bytes a second down and up, and milliseconds to the first byte of an answer. */
const slow4g = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
export const unhurried = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const SLOWER = 4;

export type Screen = Pick<BrowserContextOptions, 'viewport' | 'deviceScaleFactor' | 'isMobile' | 'hasTouch' | 'locale'>;
export const desktop: Screen = { viewport: { width: 1440, height: 900 } };
export const phone: Screen = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
};

/** Records milliseconds since the navigation began; read by `notesOf`. */
const observer = `{
  const notes = (window.__notes = { shift: 0, heading: 0, cards: 0, first: 0, all: 0 });
  const shown = () => [...document.querySelectorAll('main li img')].filter((img) => {
    const { top, bottom, width } = img.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight;
  });
  const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now())));
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) notes.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver(() => {
    if (!notes.heading && document.querySelector('h1')) painted((now) => (notes.heading ||= now));
    if (!notes.cards && document.querySelector('main li img')) notes.cards = performance.now();
  }).observe(document, { childList: true, subtree: true });
  document.addEventListener('load', ({ target }) => {
    if (!target.matches?.('main li img')) return;
    if (!notes.first) painted((now) => (notes.first ||= now));
    if (shown().every((img) => img.complete && img.naturalWidth > 0)) painted((now) => (notes.all ||= now));
  }, true);
}`;

export type Notes = {
  /** Sum of all layout shifts. */
  shift: number;
  heading: number;
  cards: number;
  first: number;
  all: number;
};

export const notesOf = (page: Page): Promise<Notes> => page.evaluate('window.__notes');

/** Waits in the page until an expression is true, since the page's CSP forbids Playwright's `eval`. */
export const until = (page: Page, expression: string): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!(${expression})) return;
      clearInterval(timer);
      resolve();
    }, 50);
  })`);

export type Opened = { page: Page; session: CDPSession; close: () => Promise<void> };

/** Opens a slowed page in a new context without a cache; `token` is in its local storage. */
export async function openSlow(browser: Browser, origin: string, screen: Screen, token?: string): Promise<Opened> {
  const localStorage = token === undefined ? [] : [{ name: 'access_token', value: token }];
  const context = await browser.newContext({
    ...screen,
    baseURL: origin,
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow4g);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(observer);
  return { page, session, close: () => context.close() };
}

/** @returns milliseconds of a round trip from the page: the median of five nearly empty calls */
export const roundTripOf = (page: Page): Promise<number> =>
  page.evaluate(`(async () => {
    const times = [];
    for (let count = 0; count < 5; count += 1) {
      const start = performance.now();
      await (await fetch('/api/health/live')).text();
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[2];
  })()`);
