/** Interactions with the frame around every screen. */
import type { Page } from 'playwright-core';
import { until } from './browser.ts';
import { click, type Driver } from './responses.ts';

/** Changes the theme, the language and the sidebar, and restores them. */
export async function shellResponses(page: Page, { press }: Driver): Promise<void> {
  await press('next theme, three times', async () => {
    for (let time = 0; time < 3; time += 1) await click(page, 'aside button:has-text("Theme")');
  });
  await press('another language', async () => {
    await click(page, 'aside button:has([lang="ar"])');
    await until(page, `document.documentElement.lang === 'ar'`);
  });
  await press('and back', async () => {
    await click(page, 'aside button:has([lang="en"])');
    await until(page, `document.documentElement.lang === 'en'`);
  });
  await press('narrow the sidebar', () => click(page, 'aside button[aria-expanded]'));
  await press('widen the sidebar', () => click(page, 'aside button[aria-expanded]'));
}
