/** The pages of the gallery in the query store. */
import type { ImagePage } from '../../server/contract.ts';
import { type KeptPage, keepPage } from '../image/wall/kept-page.ts';
import { imagesKey } from '../query/keys.ts';
import type { Key, Query } from '../query/query.ts';
import { type Address, sortParameters } from './address.ts';

export type GalleryPage = KeptPage<ImagePage>;

type Order = { sort?: string; order?: string };

/** The call that lists one page. */
export type ListCall = (
  asked: { page: number; search: string } & Order,
  signal: AbortSignal,
  background: boolean,
) => Promise<ImagePage>;

const listKey = ({ search, sort }: Address): Key => [...imagesKey, sort ?? '', search];

/** Whether two answers of a list disagree: its number of images has changed, or the page begins with another one. */
function outdates(answer: GalleryPage, other: GalleryPage): boolean {
  // Each page may have its own estimate.
  const isExact = !answer.total_is_estimate && !other.total_is_estimate;
  if (isExact && answer.total !== other.total) return true;
  return answer.page === other.page && answer.images[0]?.id !== other.images[0]?.id;
}

/** @param onError called for each failed call that the user started */
export function createImageList(list: ListCall, onError: (error: unknown) => void) {
  return (address: Address): Query<GalleryPage> => {
    const { page, search } = address;
    return {
      key: [...listKey(address), page],
      siblings: listKey(address),
      load: async (signal, background) =>
        keepPage(await list({ page, search, ...sortParameters(address) }, signal, background)),
      outdates,
      onError,
    };
  };
}
