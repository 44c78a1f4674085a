/** Applies changes of images to the pages that are already loaded, without a request. */
import type { Image } from '../../../server/contract.ts';
import { albumsKey, imagesKey } from '../../query/keys.ts';
import type { Key } from '../../query/query.ts';
import type { QueryStore } from '../../query/query-store.ts';

/** A page of a list of images, as the server answers it. */
export interface ListedPage {
  readonly images: readonly Image[];
  readonly page: number;
  readonly total: number;
  readonly totalPages: number;
}

interface Kept {
  /** Derived from the numbers; infinite while there is only one page. */
  readonly pageSize: number;
  /** How many images of the pages before were deleted since those were listed: the page begins that much earlier. */
  readonly deletedBefore: number;
  /** How many images of the page itself were deleted since it was listed. */
  readonly deletedHere: number;
}

export type KeptPage<Page extends ListedPage = ListedPage> = Page & Kept;

export function keepPage<Page extends ListedPage>(answer: Page, deletedBefore = 0): KeptPage<Page> {
  const { page, totalPages, total, images } = answer;
  const kept = { ...answer, deletedBefore, deletedHere: 0 };
  if (totalPages <= 1 || page > totalPages) return { ...kept, pageSize: Number.POSITIVE_INFINITY };
  if (page < totalPages) return { ...kept, pageSize: images.length };
  return { ...kept, pageSize: (total + deletedBefore - images.length) / (page - 1) };
}

/** What another page of the list must be requested with, so that no image between it and this page is skipped. */
export function deletedBefore(page: number, { page: here, ...kept }: KeptPage): number {
  if (page === 1) return 0;
  return page > here ? kept.deletedBefore + kept.deletedHere : kept.deletedBefore;
}

/** Removes one image from the page and its totals. A page without that image is returned unchanged. */
export function withoutImage<Page extends ListedPage>(kept: KeptPage<Page>, id: string): KeptPage<Page> {
  const images = kept.images.filter((image) => image.id !== id);
  if (images.length === kept.images.length) return kept;
  const total = Math.max(0, kept.total - 1);
  const listed = total + kept.deletedBefore;
  const totalPages = Number.isFinite(kept.pageSize) ? Math.ceil(listed / kept.pageSize) : 1;
  return { ...kept, images, total, deletedHere: kept.deletedHere + 1, totalPages: total === 0 ? 0 : totalPages };
}

/**
 * Returns the page to request after a deletion, or null to stay. An emptied last page leads to the one before. An emptied page
 * with others after it, and a page that became the last and lacks images, are requested again.
 */
export function pageInstead({ images, page, total, totalPages, pageSize, deletedBefore }: KeptPage): number | null {
  if (total === 0) return null;
  if (images.length === 0) return Math.min(page, totalPages);
  const before = page === 1 ? 0 : (page - 1) * pageSize - deletedBefore;
  return page === totalPages && before + images.length < total ? page : null;
}

/** The last page, for an address past it; null if the requested page exists. */
export const lastPageInstead = (answer: ListedPage, asked: number): number | null =>
  answer.totalPages > 0 && asked > answer.totalPages ? answer.totalPages : null;

/** Removes deleted images from the page on the screen without a request, and drops the other pages, which have shifted. */
export function removeImages(queries: Pick<QueryStore, 'update'>, ids: Iterable<string>): void {
  const gone = [...ids];
  queries.update<KeptPage>(imagesKey, (page) => {
    const left = gone.reduce(withoutImage, page);
    return left === page ? undefined : left;
  });
}

/** Shows a changed image at once wherever it is kept. */
export function replaceImage(queries: Pick<QueryStore, 'patch'>, prefix: Key, image: Image): void {
  queries.patch<Partial<KeptPage>>(prefix, (page) =>
    page.images?.some(({ id }) => id === image.id)
      ? { ...page, images: page.images.map((each) => (each.id === image.id ? image : each)) }
      : page,
  );
}

/** The kept images of all pages by id, each as it was last loaded. */
export function keptImages(queries: Pick<QueryStore, 'entries'>): ReadonlyMap<string, Image> {
  const pages = [imagesKey, albumsKey].flatMap((prefix) => queries.entries<Partial<KeptPage>>(prefix));
  return new Map(pages.flatMap(([, { images = [] }]) => images.map((image) => [image.id, image] as const)));
}
