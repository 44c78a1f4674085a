/** The video page and its controls. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';
import { openSignedIn, type PageOptions, type Stage } from './stage.ts';

export const box = (page: Page) => page.getByLabel('Video URL', { exact: true });
export const frame = (page: Page) => page.locator('iframe');
export const refusal = (page: Page) => page.getByText('This does not look like a video link.', { exact: true });

/** Opens the video page; requests to other hosts are answered by a blank page. */
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

export const film = (name: string | number) => `https://media.example/${name}.mp4`;

/** The links of the list, newest first. */
export const links = (page: Page) => page.getByRole('list', { name: 'Last watched' }).locator('bdi').allInnerTexts();

export const lists = (t: Test, page: Page, ...wanted: string[]) =>
  eventually(t, () => links(page), wanted, `the list is ${wanted.join(', ') || 'empty'}`);

export async function watch(t: Test, page: Page, ...watched: string[]): Promise<void> {
  for (const link of watched) {
    await box(page).fill(link);
    await eventually(t, async () => (await links(page))[0], link, 'its frame was shown');
  }
}

/** Opens the video page and watches these links. */
export async function openWith(t: Test, stage: Stage, watched: string[], options: PageOptions = {}): Promise<Page> {
  const page = await openVideoPage(t, stage, options);
  await watch(t, page, ...watched);
  return page;
}
