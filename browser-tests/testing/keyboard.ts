/** Uses a page by keyboard alone, and checks that the focus is visible at each stop. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';

/** The approximate accessible name of the focused control; in a card, followed by the filename. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    const name = element.getAttribute('aria-label') || element.labels?.[0]?.textContent
      || (element.innerText.trim() || element.querySelector('img')?.alt || element.tagName);
    const card = element.closest('main li')?.querySelector('bdi')?.textContent;
    return card && !name.includes(card) ? name + ' ' + card : name;
  })()`);

/**
 * Whether the focused element, or the box drawn for it, has a focus outline of at least 2 px. A text field may change its look
 * instead.
 */
const showsFocus = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const { activeElement: element } = document;
    if (element === document.body || element.matches('h1, h2, main, dialog')) return true;
    const drawn = [element, element.parentElement, element.nextElementSibling, ...(element.labels ?? [])].filter(Boolean);
    const isOutlined = drawn.some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    });
    if (isOutlined || !element.matches('input, textarea')) return isOutlined;
    const look = () => drawn.map((one) => getComputedStyle(one)).map((style) => style.boxShadow + style.borderColor).join();
    const focused = look();
    element.blur();
    const resting = look();
    element.focus();
    return focused !== resting;
  })()`);

/** Presses Tab until the control has the focus; every stop must show the focus. */
export async function tabTo(t: Test, page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < 60; press++) {
    const now = await focused(page);
    if (!(await showsFocus(page))) t.fail(`the focus is not visible on ${now}`);
    if (now === name) return;
    await page.keyboard.press(key);
    passed.push(now);
  }
  t.fail(`Tab does not reach ${name}`, { passed });
}

/** Moves to the control by Tab and presses Enter. */
export async function press(t: Test, page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(t, page, name, key);
  await page.keyboard.press('Enter');
}

/** Moves to the field by Tab and replaces its text. */
export async function type(t: Test, page: Page, name: string, text: string): Promise<void> {
  await tabTo(t, page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

export const hasFocus = (t: Test, page: Page, name: string): Promise<void> =>
  eventually(t, () => focused(page), name, `the focus is on ${name}`);
