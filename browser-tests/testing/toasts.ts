import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';

export const toasts = (page: Page): Locator => page.locator('[data-kind]');

/** The toast with exactly this first line. */
export const toast = (page: Page, text: string): Locator =>
  toasts(page).filter({ has: page.getByText(text, { exact: true }) });

/** Records the lines of each visible toast in the page: on a busy machine a toast may disappear before the test looks. */
export const noteToasts = `
  window.notedToasts = [];
  {
    const noted = new WeakSet();
    const isSeen = (toast) => toast.checkVisibility({ visibilityProperty: true }) && toast.getBoundingClientRect().width > 0;
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll('[data-kind]')) {
        if (noted.has(toast) || !isSeen(toast)) continue;
        noted.add(toast);
        window.notedToasts.push(toast.innerText.trim().split('\\n'));
      }
    }).observe(document, { childList: true, subtree: true });
  }`;

/** The lines of every toast since the page was loaded, oldest first, including those that disappeared. */
export const notedToasts = (page: Page): Promise<string[][]> => page.evaluate('window.notedToasts');

/** Waits for the toast and compares its lines exactly: the text, and the reason if one is expected. */
export async function sawToast(t: Test, page: Page, text: string, reason?: string): Promise<void> {
  const wanted = reason === undefined ? [text] : [text, reason];
  const found = async () => {
    const noted = await notedToasts(page);
    return noted.findLast(([first]) => first === text)?.slice(0, wanted.length) ?? noted.flat();
  };
  await eventually(t, found, wanted, `the toast says: ${wanted.join(' / ')}`);
}
