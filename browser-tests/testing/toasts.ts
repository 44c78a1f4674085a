import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { textOf } from './in-page.ts';

export const toasts = (page: Page): Locator => page.locator('[data-kind]');

/** The toast with exactly this first line. */
export const toast = (page: Page, text: string): Locator =>
  toasts(page).filter({ has: page.getByText(text, { exact: true }) });

/** Waits for the toast and compares its lines: the text, letter for letter, and below it the reason, if one is expected. */
export async function sawToast(t: Test, page: Page, text: string, reason?: string): Promise<void> {
  const found = toast(page, text);
  await found.first().waitFor();
  const lines = (await textOf(found.first())).trim().split('\n');
  t.equal(lines[0], text, `the toast says: ${text}`);
  if (reason !== undefined) t.equal(lines[1], reason, `and on its second line: ${reason}`);
}
