/** What a deletion does to the page that is already here, without asking the server again. */
import type { ImagePage } from '../../server/contract.ts';

/** A page as it is kept, with the page size that its numbers tell (infinite while there is one page only). */
export interface KeptPage extends ImagePage {
  readonly pageSize: number;
}

export function keepPage(answer: ImagePage): KeptPage {
  const { page, totalPages, total, images } = answer;
  if (totalPages <= 1 || page > totalPages) return { ...answer, pageSize: Number.POSITIVE_INFINITY };
  return { ...answer, pageSize: page < totalPages ? images.length : (total - images.length) / (page - 1) };
}

/** The page without one image, its totals with it. A page that does not hold the image stays as it is. */
export function withoutImage(kept: KeptPage, id: string): KeptPage {
  const images = kept.images.filter((image) => image.id !== id);
  if (images.length === kept.images.length) return kept;
  const total = Math.max(0, kept.total - 1);
  const finite = Number.isFinite(kept.pageSize);
  return { ...kept, images, total, totalPages: total === 0 ? 0 : finite ? Math.ceil(total / kept.pageSize) : 1 };
}

/**
 * The page to ask for once this one has lost an image, where it cannot simply stay: an emptied last page gives way to the one
 * before; an emptied page with others behind it, or one that has become the last and lacks what moved up, is asked for again.
 * Null: stay as it is.
 */
export function pageInstead({ images, page, total, totalPages, pageSize }: KeptPage): number | null {
  if (total === 0) return null;
  if (images.length === 0) return Math.min(page, totalPages);
  const before = page === 1 ? 0 : (page - 1) * pageSize;
  return page === totalPages && before + images.length < total ? page : null;
}

/** The last page there is, for an address past it; null while the page asked for is inside. */
export const lastPageInstead = (answer: ImagePage, asked: number): number | null =>
  answer.totalPages > 0 && asked > answer.totalPages ? answer.totalPages : null;
