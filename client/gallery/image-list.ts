/** The pages of the gallery in the query store. */
import type { Image, ImagePage } from '../../server/contract.ts';
import { type KeptPage, keepPage, withoutImage } from '../image/kept-page.ts';
import { imagesKey } from '../query/keys.ts';
import type { Key, Query, QueryStore } from '../query/query-store.ts';
import { type Address, sortParameters } from './address.ts';

type Order = { sort?: string; order?: string };

/** The call that lists one page. */
export type ListCall = (
  asked: { page: number; search: string } & Order,
  signal: AbortSignal,
  background: boolean,
) => Promise<ImagePage>;

const listKey = ({ search, sort }: Address): Key => [...imagesKey, sort ?? '', search];

/** Whether two answers of a list disagree: its number of images has changed, or the page begins with another one. */
function outdates(answer: KeptPage, other: KeptPage): boolean {
  // Each page may have its own estimate.
  const isExact = !answer.total_is_estimate && !other.total_is_estimate;
  if (isExact && answer.total !== other.total) return true;
  return answer.page === other.page && answer.images[0]?.id !== other.images[0]?.id;
}

/** @param onError called for each failed call that the user started */
export function createImageList(list: ListCall, onError: (error: unknown) => void) {
  return (address: Address): Query<KeptPage> => {
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

/** Removes deleted images from the page on the screen without a request, and drops the other pages, which have shifted. */
export function removeImages(queries: Pick<QueryStore, 'update'>, ids: Iterable<string>): void {
  const gone = [...ids];
  queries.update<KeptPage>(imagesKey, (page) => {
    const left = gone.reduce(withoutImage, page);
    return left === page ? undefined : left;
  });
}

/** Shows a changed image at once wherever it is kept. */
export function replaceImage(queries: Pick<QueryStore, 'entries' | 'setData'>, prefix: Key, image: Image): void {
  for (const [key, page] of queries.entries<{ images: readonly Image[] }>(prefix)) {
    if (!page.images?.some(({ id }) => id === image.id)) continue;
    queries.setData(key, { ...page, images: page.images.map((each) => (each.id === image.id ? image : each)) });
  }
}
