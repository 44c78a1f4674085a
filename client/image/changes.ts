/** Writes changes of images to the query store, for all lists and all tabs. */
import type { Image } from '../../server/contract.ts';
import { albumsKey, imagesKey, usageKey } from '../query/keys.ts';
import { announce, invalidate, queries } from '../query/queries.ts';
import { removeImages, replaceImage } from './wall/kept-page.ts';

/** Shows a changed image at once, and loads the lists again: it may have another position. */
export function imageChanged(image: Image): void {
  for (const prefix of [imagesKey, albumsKey]) replaceImage(queries, prefix, image);
  invalidate(imagesKey);
  announce(albumsKey);
}

/** Removes deleted images from the page on the screen, and invalidates what else contained them. */
export function imagesGone(ids: Iterable<string>): void {
  removeImages(queries, ids);
  announce(imagesKey);
  invalidate(albumsKey);
  invalidate(usageKey);
}
