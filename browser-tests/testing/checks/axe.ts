import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from '../eventually.ts';

/** The narrowest supported window, and a desktop's at 400 % zoom. */
export const narrow = { width: 320, height: 640 };

/** The rules whose result depends on the theme. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** Waits until finite animations end, because they affect colours. */
export const settle = (page: Page) =>
  page.evaluate(`Promise.all(document.getAnimations()
    .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
    .map((one) => one.finished.catch(() => {})))`);

/** The page's width, and the elements that exceed the window. */
const widthOf = (page: Page, own: number) =>
  page.evaluate(`(() => {
    const width = document.documentElement.scrollWidth;
    const isBeyond = (element) => width > ${own} && element.getBoundingClientRect().right > ${own} + 0.5;
    const beyond = [...document.querySelectorAll('*:not(svg *)')].filter(isBeyond);
    return { width, beyond: beyond.map((element) => element.outerHTML.slice(0, 160)) };
  })()`);

/** Asserts that nothing scrolls sideways at the page's own size. */
export async function fitsWindow(t: Test, page: Page, state: string): Promise<void> {
  const { width } = page.viewportSize() ?? narrow;
  await settle(page);
  // A list measured in JavaScript follows the window one frame later.
  const wanted = { width, beyond: [] };
  await eventually(t, () => widthOf(page, width), wanted, `${state}, ${width} px: nothing scrolls sideways`);
}

/** Violations of these rules, or of all default rules, with their elements. Other sites' frames are not checked. */
async function foundBy(page: Page, rules: string[]): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  // The only WCAG 2.2 rule that axe-core can check is off by default.
  const all = { rules: { 'target-size': { enabled: true } } };
  const options = { iframes: false, ...(rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : all) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`);
}

/**
 * Asserts no axe-core violations, in light and dark, at the page's own size and, on a phone, at 320 px, and that nothing scrolls
 * sideways. Each size is checked by all rules, each theme by those about colours.
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

/** Asserts no axe-core violations in the current theme and size, and that nothing scrolls sideways. */
export async function findsNothingHere(t: Test, page: Page, state: string): Promise<void> {
  t.same(await foundBy(page, []), [], `${state}, ${page.viewportSize()?.width} px`);
  await fitsWindow(t, page, state);
}
