/** Gives images new links. */
import { rotateLinks } from '../../api/links.ts';
import { albumsKey, imagesKey } from '../../query/keys.ts';
import { invalidate, queries } from '../../query/queries.ts';
import { replaceImage } from '../wall/kept-page.ts';
import { inCalls, type Replaced } from './in-calls.ts';
import { stableLinksKey } from './stable-links.ts';

/** Shows the new links at once, and loads again what contains pictures by their former links. */
export async function replaceLinks(ids: readonly string[]): Promise<Replaced> {
  const replaced = await inCalls(ids, rotateLinks);
  for (const image of replaced.images) {
    for (const prefix of [imagesKey, albumsKey]) replaceImage(queries, prefix, image);
  }
  for (const key of [imagesKey, albumsKey, stableLinksKey]) invalidate(key);
  return replaced;
}
