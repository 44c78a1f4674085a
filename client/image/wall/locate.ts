import type { KeptPage } from './kept-page.ts';

/** How many pages are searched: uploads of some hundred images move an image that far. */
const FARTHEST = 8;

/**
 * Finds the page that an image is on now: uploads move it to later pages, deletions to earlier ones.
 * @param from the page it was on @returns undefined if it is not found
 */
export async function locate(
  id: string,
  from: number,
  pageOf: (page: number) => Promise<KeptPage | undefined>,
): Promise<number | undefined> {
  const has = ({ images }: KeptPage) => images.some((image) => image.id === id);
  for (let page = from; page < from + FARTHEST; page += 1) {
    const found = await pageOf(page);
    if (found && has(found)) return page;
    if (!found || page >= found.totalPages) break;
  }
  const before = from > 1 ? await pageOf(from - 1) : undefined;
  return before && has(before) ? from - 1 : undefined;
}
