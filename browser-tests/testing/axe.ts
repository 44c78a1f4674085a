import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';

/** Narrowest supported window, and what a 400 % zoom of a desktop comes to. */
export const narrow = { width: 320, height: 640 };

/** Waits until nothing moves: colours are judged at rest. Endless animations (a spinner) do not count. */
const settle = (page: Page) =>
  page.evaluate(`Promise.all(document.getAnimations()
    .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
    .map((one) => one.finished.catch(() => {})))`);

/** How wide the page is, and what makes it wider than its window. */
const widthOf = (page: Page, own: number) =>
  page.evaluate(`(() => {
    const width = document.documentElement.scrollWidth;
    const isBeyond = (element) => width > ${own} && element.getBoundingClientRect().right > ${own} + 0.5;
    const beyond = [...document.querySelectorAll('*:not(svg *)')].filter(isBeyond);
    return { width, beyond: beyond.map((element) => element.outerHTML.slice(0, 160)) };
  })()`);

/** Nothing scrolls sideways, at the page's own size. */
export async function fitsWindow(t: Test, page: Page, state: string): Promise<void> {
  const { width } = page.viewportSize() ?? narrow;
  await settle(page);
  // A list that is measured in JavaScript follows the window a frame later.
  const wanted = { width, beyond: [] };
  await eventually(t, () => widthOf(page, width), wanted, `${state}, ${width} px: nothing scrolls sideways`);
}

/** Finds nothing with axe-core, in light and dark, at the page's own size and, on a phone, at 320 px, where nothing scrolls sideways. */
export async function findsNothing(t: Test, page: Page, state: string): Promise<void> {
  const own = page.viewportSize() ?? narrow;
  for (const viewport of own.width < 600 ? [own, narrow] : [own]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settle(page);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
      );
      t.same(found, [], `${state}, ${viewport.width} px, ${colorScheme}`);
    }
    await fitsWindow(t, page, state);
  }
  await page.setViewportSize(own);
}
