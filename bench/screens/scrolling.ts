/** Measures frames while one hundred cards are scrolled, against as many plain boxes. */
import type { Browser, Page } from 'playwright-core';
import { type Bench, pairs } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { desktop, openSlow, until } from './browser.ts';

/** A frame is late if it comes half a frame or more after its turn, at 60 frames a second. */
const LATE_MS = 1.5 * (1000 / 60);
const categories = ['disabled-by-default-devtools.timeline.frame', 'devtools.timeline.frame'];

type TraceEvent = { name: string; ts: number };

/** @returns the percentage of late frames while the page is scrolled from top to end */
async function lateShare(browser: Browser, page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate('window.scrollTo(0, 0)');
  const distance = await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight');
  await browser.startTracing(page, { categories });
  await session.send('Input.synthesizeScrollGesture', {
    x: 700,
    y: 450,
    yDistance: -distance,
    speed: 1600,
    gestureSourceType: 'mouse',
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  await session.detach();
  const drawn = traceEvents.filter(({ name }) => name === 'DrawFrame').map(({ ts }) => ts / 1000);
  const gaps = drawn
    .toSorted((a, b) => a - b)
    .flatMap((time, index, all) => (index === 0 ? [] : [time - (all[index - 1] ?? time)]));
  return (100 * gaps.filter((gap) => gap > LATE_MS).length) / Math.max(1, gaps.length);
}

/** Replaces the cards by empty boxes of the same sizes. */
const plain = `(() => {
  const boxes = [...document.querySelectorAll('main li')].map((card) => card.getBoundingClientRect());
  const height = document.documentElement.scrollHeight;
  document.body.replaceChildren(...boxes.map(({ left, top, width, height }) => {
    const box = document.createElement('div');
    Object.assign(box.style, { position: 'absolute', left: left + 'px', top: top + 'px', width: width + 'px', height: height + 'px', background: '#888' });
    return box;
  }));
  document.body.style.height = height + 'px';
})()`;

export async function scrollFigures(bench: Bench, browser: Browser, origin: string, token: string): Promise<Figure[]> {
  const open = async (empty: boolean) => {
    const { page, session, close } = await openSlow(browser, origin, desktop, token);
    await page.goto('/dashboard/images', { waitUntil: 'commit' });
    await until(page, 'window.__notes?.all > 0');
    if (empty) await page.evaluate(plain);
    // The network stays slow: the bench measures how the page draws what arrives while scrolling.
    await page.waitForLoadState('networkidle');
    const share = await lateShare(browser, page);
    await session.detach();
    await close();
    return share;
  };
  const rounds = await pairs(
    bench.rounds,
    () => open(false),
    () => open(true),
  );
  return [
    {
      name: 'late frames while 100 cards are scrolled',
      unit: '%',
      against: '100 plain boxes',
      rounds,
    },
  ];
}
