/** The overlay over a gallery of two pages, each with three images that are named by a letter. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';
import { choose, pngs } from './files.ts';
import { galleryPath, shows, withPictures } from './gallery.ts';
import { naturalWidth } from './in-page.ts';
import { openPage, type PageOptions, type Stage } from './stage.ts';

export const filesOf = (letters: string): string[] => [...letters].map((letter) => `${letter}.png`);

export const overlay = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

export const isShown = (t: Test, page: Page, name: string): Promise<void> =>
  eventually(
    t,
    async () => {
      const picture = overlay(page, name).getByRole('img', { name, exact: true });
      return (await picture.count()) === 1 && (await naturalWidth(picture));
    },
    64,
    name,
  );

/** Opens the first of two pages, f to a. */
export async function openSix(t: Test, stage: Stage, options: PageOptions = {}): Promise<Page> {
  const { account } = await withPictures(stage, ...filesOf('fedcba'));
  const page = await openPage(t, stage, { account, ...options });
  await page.goto(galleryPath);
  await shows(t, page, 'f.png', 'e.png', 'd.png');
  return page;
}

/** Uploads by the upload page, one file after another. */
export async function uploads(t: Test, page: Page, letters: string): Promise<void> {
  for (const name of filesOf(letters)) {
    await choose(page, await pngs(name));
    const stored = page.waitForResponse('**/api/images/upload');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    t.equal((await stored).status(), 201, `${name} is uploaded`);
    await page.getByRole('list', { name: 'Pending' }).waitFor({ state: 'detached' });
  }
}
