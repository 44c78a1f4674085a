import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { fitsWindow } from './axe.ts';

/** A window of 1280 x 1024 at 400 % zoom. */
export const magnified = { width: 320, height: 256 };

/**
 * Focuses every control in turn and lists those of which fewer than five of nine points are visible. An opened popup keeps the
 * focus inside. Toasts are ignored, because they disappear.
 */
const hiddenWhenFocused = `(() => {
  const opened = ['.swal2-popup', ':popover-open', ':modal'].map((one) => document.querySelector(one)).find(Boolean) ?? document;
  const controls = [...opened.querySelectorAll('a[href], button, input, select, textarea, summary, iframe, [tabindex="0"]')]
    .filter((one) => !one.disabled && !(one.matches('iframe') && one.tabIndex < 0) && one.checkVisibility({ visibilityProperty: true }));
  const before = document.activeElement;
  const hidden = [];
  for (const control of controls) {
    control.focus();
    if (document.activeElement !== control) continue;
    const { left, top, width, height } = control.getBoundingClientRect();
    // A toast may cover other controls, but not its own.
    const inToast = control.closest('[data-kind]') !== null;
    const shares = [0.15, 0.5, 0.85];
    const points = shares.flatMap((x) => shares.map((y) => [left + width * x, top + height * y]));
    const isSeen = ([x, y]) => {
      const found = document.elementsFromPoint(x, y).find((one) => inToast || !one.closest('[data-kind]'));
      return found !== undefined && (control.contains(found) || found.control === control || [...(control.labels ?? [])].some((label) => label.contains(found)));
    };
    const seen = points.filter(isSeen).length;
    if (seen < 5) {
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      const name = (one) => one === null ? 'nothing' : one.outerHTML.replace(/<svg.*?<.svg>/g, '').slice(0, 200);
      hidden.push([seen + ' of 9 points', [left, top, width, height].map(Math.round).join(' '), name(control), 'under', name(over)].join(' '));
    }
  }
  before?.focus?.({ preventScroll: true });
  return hidden;
})()`;

/** Lines of text that are cut off or outside the window without scrolling. An ellipsis is allowed. */
const cutOff = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const cut = new Set();
  while (texts.nextNode()) {
    const { parentElement: parent } = texts.currentNode;
    if (texts.currentNode.data.trim() === '' || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (parent.closest('[aria-hidden="true"], script, style, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
    for (let box = parent; box !== document.body; box = box.parentElement) {
      const { overflowX, clipPath, textOverflow, position } = getComputedStyle(box);
      // Visually hidden, scrollable, or marked by an ellipsis.
      if (clipPath !== 'none' || textOverflow === 'ellipsis' || /auto|scroll/.test(overflowX)) break;
      const own = overflowX !== 'visible' ? box.getBoundingClientRect() : position === 'fixed' ? { left: 0, right: innerWidth } : null;
      if (own && lines.some(({ left, right }) => left < own.left - 2 || right > own.right + 2)) cut.add(parent.outerHTML.slice(0, 160));
      if (position === 'fixed') break;
    }
  }
  return [...cut];
})()`;

/** Controls that overlap a line of text, where both are not scrolled away. */
const overlapping = `(() => {
  const visiblePart = (one, { left, top, right, bottom }) => {
    const part = { left, top, right, bottom };
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === 'visible') continue;
      const box = up.getBoundingClientRect();
      Object.assign(part, { left: Math.max(part.left, box.left), top: Math.max(part.top, box.top) });
      Object.assign(part, { right: Math.min(part.right, box.right), bottom: Math.min(part.bottom, box.bottom) });
    }
    return part;
  };
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const layer = (one) => one.closest('dialog, .swal2-container, [popover], [data-kind]') ?? held(one);
  const held = (one) => { for (let up = one; up; up = up.parentElement) if (/fixed|sticky/.test(getComputedStyle(up).position)) return up; return null; };
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea')].filter(seen)
    .map((one) => [one, visiblePart(one, one.getBoundingClientRect()), layer(one)]);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (texts.nextNode()) {
    const { parentElement: parent, data } = texts.currentNode;
    if (data.trim() === '' || !seen(parent) || parent.closest('option, script, style, .visually-hidden, label')) continue;
    if (getComputedStyle(parent).clipPath !== 'none') continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const line of [...range.getClientRects()].map((one) => visiblePart(parent.firstElementChild ?? parent, one)))
      for (const [control, box, of] of controls) {
        if (control.contains(parent) || parent.contains(control) || of !== layer(parent)) continue;
        const across = Math.min(line.right, box.right) - Math.max(line.left, box.left);
        const down = Math.min(line.bottom, box.bottom) - Math.max(line.top, box.top);
        if (across > 3 && down > 6) found.add(data.trim().slice(0, 60) + ' and ' + control.outerHTML.replace(/<svg.*?<.svg>/g, '').slice(0, 160));
      }
  }
  return [...found];
})()`;

/** Asserts that the page scrolls in one direction only, cuts nothing off, and shows the focused control. */
export async function reflows(t: Test, page: Page, state: string): Promise<void> {
  await fitsWindow(t, page, state);
  t.same(await page.evaluate(cutOff), [], `${state}: nothing is cut off`);
  // The sheet covers the overlay on purpose, and the user can close it.
  if (/^(details|the form of|an image that expired|the question before a link is replaced)/.test(state)) return;
  t.same(await page.evaluate(overlapping), [], `${state}: no text is under a control`);
  t.same(await page.evaluate(hiddenWhenFocused), [], `${state}: the focused control is visible`);
}
