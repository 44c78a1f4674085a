import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';

/** Narrowest supported window, and what a 400 % zoom of a desktop comes to. */
export const narrow = { width: 320, height: 640 };

/** What a change of theme alone can change. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** Waits until nothing moves: colours are judged at rest. Endless animations (a spinner) do not count. */
export const settle = (page: Page) =>
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

/** What axe-core finds by these rules, or by all of its own choice: each rule with the elements that break it. Frames of others are not looked into. */
async function foundBy(page: Page, rules: string[]): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  // The one rule of WCAG 2.2 that can be checked by a machine has to be asked for.
  const all = { rules: { 'target-size': { enabled: true } } };
  const options = { iframes: false, ...(rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : all) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`);
}

/**
 * Finds nothing with axe-core, in light and dark, at the page's own size and, on a phone, at 320 px, where nothing scrolls sideways.
 * All rules judge each size, those of colours each theme.
 */
export async function findsNothing(t: Test, page: Page, state: string): Promise<void> {
  const own = page.viewportSize() ?? narrow;
  const judge = async (colorScheme: 'light' | 'dark', rules: string[]) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    t.same(await foundBy(page, rules), [], `${state}, ${page.viewportSize()?.width} px, ${colorScheme}`);
  };
  await judge('light', []);
  await judge('dark', ofColours);
  await fitsWindow(t, page, state);
  if (own.width >= 600) return;
  await page.setViewportSize(narrow);
  await judge('dark', []);
  await fitsWindow(t, page, state);
  await page.setViewportSize(own);
}

/** Finds nothing with axe-core in the theme and at the size that the page has. Nothing scrolls sideways. */
export async function findsNothingHere(t: Test, page: Page, state: string): Promise<void> {
  t.same(await foundBy(page, []), [], `${state}, ${page.viewportSize()?.width} px`);
  await fitsWindow(t, page, state);
}
