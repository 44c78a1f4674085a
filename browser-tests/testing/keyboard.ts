/** A page without a mouse: Tab and keys alone, and at each stop a focus that can be seen. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';

/** The accessible name, near enough, of what has the focus; in a card with the picture's name behind it. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    const name = element.getAttribute('aria-label') || element.labels?.[0]?.textContent
      || (element.innerText.trim() || element.querySelector('img')?.alt || element.tagName);
    const card = element.closest('main li')?.querySelector('bdi')?.textContent;
    return card && !name.includes(card) ? name + ' ' + card : name;
  })()`);

/**
 * Whether what has the focus, or the box that is drawn for it, has the outline of the focus, at least 2 px wide; a text field,
 * whether it looks otherwise than without it.
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

/** Presses Tab until the control has the focus; each stop on the way is visibly focused. */
export async function tabTo(t: Test, page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < 60; press++) {
    const now = await focused(page);
    if (!(await showsFocus(page))) t.fail(`the focus is seen on ${now}`);
    if (now === name) return;
    await page.keyboard.press(key);
    passed.push(now);
  }
  t.fail(`Tab does not reach ${name}`, { passed });
}

/** Goes to the control by Tab and presses Enter there. */
export async function press(t: Test, page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(t, page, name, key);
  await page.keyboard.press('Enter');
}

/** Goes to the field by Tab and puts the text in place of what stands there. */
export async function type(t: Test, page: Page, name: string, text: string): Promise<void> {
  await tabTo(t, page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

export const hasFocus = (t: Test, page: Page, name: string): Promise<void> =>
  eventually(t, () => focused(page), name, `the focus is on ${name}`);
