/** The pages of the gallery in the query store. */
import type { ImagePage } from '../../server/contract.ts';
import { type KeptPage, keepPage } from '../image/wall/kept-page.ts';
import { imagesKey } from '../query/keys.ts';
import type { Key, Query } from '../query/query.ts';
import { type Address, sortParameters } from './address.ts';

export type GalleryPage = KeptPage<ImagePage>;

type Order = { sort?: string; order?: string; language?: string };

/** The call that lists one page. */
export type ListCall = (
  asked: { page: number; deleted?: number; search: string } & Order,
  signal: AbortSignal,
  background: boolean,
) => Promise<ImagePage>;

const listKey = ({ search, sort }: Address, { language = '' }: Order): Key => [
  ...imagesKey,
  `${sort ?? ''} ${language}`,
  search,
];

/** Whether two answers of a list disagree: its number of images has changed, or the page begins with another one. */
function outdates(answer: GalleryPage, other: GalleryPage): boolean {
  // Each page may have its own estimate.
  const isExact = !answer.total_is_estimate && !other.total_is_estimate;
  if (isExact && answer.total !== other.total) return true;
  const isSamePage = answer.page === other.page && answer.deletedBefore === other.deletedBefore;
  return isSamePage && answer.images[0]?.id !== other.images[0]?.id;
}

/** @param language of the page: the order by name is its order @param onError called for each failed call that the user started */
export function createImageList(list: ListCall, language: () => string, onError: (error: unknown) => void) {
  return (address: Address): Query<GalleryPage> => {
    const { page, deleted = 0, search } = address;
    const order: Order = { ...sortParameters(address) };
    if (order.sort === 'name' && language() !== 'en') order.language = language();
    const asked = { page, ...(deleted > 0 ? { deleted } : {}), search, ...order };
    const siblings = listKey(address, order);
    return {
      key: [...siblings, page, deleted],
      siblings,
      load: async (signal, background) => keepPage(await list(asked, signal, background), deleted),
      outdates,
      onError,
    };
  };
}
