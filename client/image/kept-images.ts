/** Changes of images in the entries of a query store. */
import type { Image } from '../../server/contract.ts';
import { albumsKey, imagesKey } from '../query/keys.ts';
import type { Key, QueryStore } from '../query/query-store.ts';
import { type KeptPage, withoutImage } from './kept-page.ts';

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
