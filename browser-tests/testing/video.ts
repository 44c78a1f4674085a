/** The video page and its controls. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { openSignedIn, type PageOptions, type Stage } from './stage.ts';

export const box = (page: Page) => page.getByLabel('Video URL', { exact: true });
export const frame = (page: Page) => page.locator('iframe');
export const refusal = (page: Page) => page.getByText('This does not look like a video link.', { exact: true });

/** The video page; what its frame asks of other hosts is answered by a blank page. */
export async function openVideoPage(t: Test, stage: Stage, options: PageOptions = {}): Promise<Page> {
  const { page } = await openSignedIn(t, stage, '/login', options);
  await page.route(
    (url) => url.origin !== stage.origin,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>player</title>' }),
  );
  await page.goto('/dashboard/video');
  await box(page).waitFor();
  return page;
}
