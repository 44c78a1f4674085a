/** A gallery with pictures, and its controls. */
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Image, ImagePage } from '../../server/contract.ts';
import { signIn, type TestAccount } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { eventually } from './eventually.ts';
import { pngs } from './files.ts';
import { openPage, type PageOptions, type Stage } from './stage.ts';

export const galleryPath = '/dashboard/images';

/** Creates a user with pictures of these names, the first one newest. @returns the first page as the server lists it */
export async function withPictures(
  stage: Stage,
  ...filenames: string[]
): Promise<{ account: TestAccount; images: Image[] }> {
  const account = await signIn(stage.app);
  for (const { name, buffer } of (await pngs(...filenames)).reverse()) {
    await storeFiles(stage.app, account, [{ name, bytes: buffer }]);
  }
  // Over the network, because links contain the requested host.
  const answer = await fetch(`${stage.origin}/api/images/`, { headers: account.bearer });
  const { images } = (await answer.json()) as ImagePage;
  return { account, images };
}

/** The filenames on the cards, in order. */
export const cardNames = (page: Page): Promise<string[]> =>
  page.getByRole('main').getByRole('listitem').locator('bdi').allTextContents();

export const shows = (t: Test, page: Page, ...wanted: string[]): Promise<void> =>
  eventually(t, () => cardNames(page), wanted, `the cards are ${wanted.join(', ') || 'none'}`);

export const cardOf = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name });

export const pictureOf = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('button', { name, exact: true });

/** Opens the gallery of a new user with these pictures. */
export async function openGallery(t: Test, stage: Stage, filenames: string[], options: PageOptions = {}) {
  const { account, images } = await withPictures(stage, ...filenames);
  const page = await openPage(t, stage, { account, ...options });
  await page.goto(galleryPath);
  await shows(t, page, ...filenames);
  return { page, account, images };
}

/** Query strings of the list requests from now on. */
export function listsOf(page: Page): string[] {
  const lists: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/images/' && request.method() === 'GET') lists.push(search);
  });
  return lists;
}
