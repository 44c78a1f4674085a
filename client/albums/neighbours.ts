/** Finds the image before which a moved one is put; that image may be on another page. */
import type { AlbumPage } from '../../server/contract.ts';

type Shown = Pick<AlbumPage, 'images' | 'page' | 'totalPages'>;
type Pages = (page: number) => Promise<Pick<AlbumPage, 'images'>>;

/** @returns undefined for the first image of the album */
export async function beforeEarlier(
  { images, page }: Shown,
  index: number,
  pageOf: Pages,
): Promise<string | undefined> {
  const there = images[index - 1];
  if (there) return there.id;
  return page === 1 ? undefined : (await pageOf(page - 1)).images.at(-1)?.id;
}

/** For an image dragged to index `place` of a page. Past the page's last image, the target is the next page's first. */
export async function beforePlace(
  { images, page, totalPages }: Shown,
  place: number,
  pageOf: Pages,
): Promise<string | null> {
  const there = images[place];
  if (there) return there.id;
  return page >= totalPages ? null : ((await pageOf(page + 1)).images[0]?.id ?? null);
}

/** @returns null for the end; undefined for the last image of the album */
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
