/** The overlay of one photograph, and its downloads. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { eventually } from './eventually.ts';
import { galleryPath, pictureOf } from './gallery.ts';
import { naturalWidth } from './in-page.ts';
import { openSignedIn, type PageOptions, type Stage } from './stage.ts';

export const photo = (page: Page) => page.getByRole('dialog', { name: 'photo.jpg', exact: true });

/** Opens the overlay of a new user's only image. */
export async function openPhoto(t: Test, on: Stage, bytes: Buffer, options: PageOptions = {}): Promise<Page> {
  const account = await signIn(on.app);
  await storeFiles(on.app, account, [{ name: 'photo.jpg', bytes }]);
  const { page } = await openSignedIn(t, on, galleryPath, { account, ...options });
  await pictureOf(page, 'photo.jpg').click();
  const drawn = async () => (await naturalWidth(photo(page).getByRole('img', { name: 'photo.jpg', exact: true }))) > 0;
  await eventually(t, drawn, true, 'it is drawn');
  return page;
}

/** The bytes downloaded by a click on a link of the overlay. */
export async function saved(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    photo(page).getByRole('link', { name, exact: true }).last().click(),
  ]);
  return readFile(await download.path());
}
