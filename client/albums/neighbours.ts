/** Before which image one is put to move it by one place; the one beyond the page's edge stands on another page. */
import type { AlbumPage } from '../../server/contract.ts';

type Shown = Pick<AlbumPage, 'images' | 'page' | 'totalPages'>;
type Pages = (page: number) => Promise<Pick<AlbumPage, 'images'>>;

/** @returns undefined where it is the first of all */
export async function beforeEarlier(
  { images, page }: Shown,
  index: number,
  pageOf: Pages,
): Promise<string | undefined> {
  const there = images[index - 1];
  if (there) return there.id;
  return page === 1 ? undefined : (await pageOf(page - 1)).images.at(-1)?.id;
}

/** @returns null for the end; undefined where it is the last of all */
export async function beforeLater(
  { images, page, totalPages }: Shown,
  index: number,
  pageOf: Pages,
): Promise<string | null | undefined> {
  const isLastPage = page >= totalPages;
  if (isLastPage && index >= images.length - 1) return undefined;
  const there = images[index + 2];
  if (there) return there.id;
  if (isLastPage) return null;
  const next = (await pageOf(page + 1)).images;
  return next[index + 2 - images.length]?.id ?? null;
}
