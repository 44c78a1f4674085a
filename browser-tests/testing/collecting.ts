/** Guests of collect links and their owners in the browser. */
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { NewCollectLink } from '../../server/contract.ts';
import { collector, pictures } from '../../server/testing/guests/collector.ts';
import { eventually } from './eventually.ts';
import type { Payload } from './files.ts';
import { naturalWidth } from './in-page.ts';
import { openPage, type PageOptions, type Stage } from './stage.ts';

export const button = (place: Page | Locator, name: string): Locator =>
  place.getByRole('button', { name, exact: true });
export const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
export const own = (page: Page): Locator => page.getByRole('region', { name: 'Your images' });
export const namesIn = (place: Locator): Promise<string[]> => place.locator('li bdi').allInnerTexts();

/** Pictures with different bytes. */
export async function payloads(...names: string[]): Promise<Payload[]> {
  const made = await pictures(names);
  return made.map(({ name, bytes }) => ({ name, mimeType: 'image/png', buffer: Buffer.from(bytes) }));
}

/** An owner's link, and a guest's phone that opens it. */
export const visitorOf =
  (stage: Stage) =>
  async (t: Test, options: Partial<NewCollectLink> = {}, look: PageOptions = {}) => {
    const owner = await collector(stage.app);
    const link = await owner.link(options);
    const page = await openPage(t, stage, { size: 'phone', ...look });
    await page.goto(link.path);
    await page.getByRole('heading', { name: 'Party' }).waitFor();
    return { owner, link, page };
  };

/** Waits until an image is drawn. */
export const loaded = (t: Test, image: Locator): Promise<void> =>
  eventually(t, async () => (await naturalWidth(image)) > 0, true, 'it is drawn');

export const upload = (page: Page): Promise<void> => button(page, 'Upload').click();
