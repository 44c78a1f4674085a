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

/** Where one is put that is dragged before the `place`th image of a page, from 0; behind the last it is before the next page. */
export async function beforePlace(
  { images, page, totalPages }: Shown,
  place: number,
  pageOf: Pages,
): Promise<string | null> {
  const there = images[place];
  if (there) return there.id;
  return page >= totalPages ? null : ((await pageOf(page + 1)).images[0]?.id ?? null);
}

/** The images of a page when the one at `from` has been put before the one at `place`. */
export function reordered<Item>(images: readonly Item[], from: number, place: number): Item[] {
  const rest = images.filter((_, index) => index !== from);
  rest.splice(place > from ? place - 1 : place, 0, ...images.slice(from, from + 1));
  return rest;
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
