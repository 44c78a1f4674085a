/** Actions on many images. */
import type { Image } from '../../../server/contract.ts';
import { archiveUrl, fetchArchive, fetchOriginal, originalUrl } from '../../api/images.ts';
import { type Code, codesFor } from '../../image/embed-codes.ts';
import { savedName, sendsLogin } from '../../image/preview/download/download.ts';
import { followLink, saveBytes } from '../../lib/save-bytes.ts';

/** The server's limit for one archive. */
export const MOST_IN_ARCHIVE = 200;

/** Formats the images in one markup, one per line. */
export function linesOf(images: readonly Image[], kind: Code['kind']): string {
  return images.map((image) => codesFor(image).find((code) => code.kind === kind)?.text ?? '').join('\n');
}

/** Downloads one image as it is, several as one archive. Resolves when the browser has started the download. */
export async function download(images: readonly Image[]): Promise<void> {
  const [first] = images;
  if (first === undefined) return;
  const single = images.length === 1;
  const ids = images.map(({ id }) => id);
  const url = single ? originalUrl(first.id) : archiveUrl(ids);
  const name = single ? savedName(first) : 'images.zip';
  if (sendsLogin(url, first.url)) followLink(url, name);
  else saveBytes(await (single ? fetchOriginal(first.id) : fetchArchive(ids)), name);
}
