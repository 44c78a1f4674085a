/** Actions on many images. */
import pLimit from 'p-limit';
import type { Image } from '../../../server/contract.ts';
import { ApiError, reasonOf } from '../../api/api-error.ts';
import { archiveUrl, deleteImage, fetchArchive, fetchOriginal, originalUrl } from '../../api/images.ts';
import { gallery as texts } from '../../text/words.ts';
import { type Code, codesFor } from '../codes.ts';
import { followLink, saveBytes, sendsLogin } from '../preview/download.ts';

const AT_ONCE = 3;

/** The server's limit for one archive. */
export const MOST_IN_ARCHIVE = 200;

export interface Outcome {
  /** ids of the images that no longer exist */
  readonly gone: ReadonlySet<string>;
  /** by id: why a deletion failed */
  readonly problems: ReadonlyMap<string, string>;
}

/** Deletes three at a time. Images already deleted count as gone. Stops once the session is over. */
export async function deleteAll(images: readonly Image[]): Promise<Outcome> {
  const limit = pLimit(AT_ONCE);
  const gone = new Set<string>();
  const problems = new Map<string, string>();
  let isOver = false;
  const remove = async ({ id }: Image): Promise<void> => {
    if (isOver) return;
    try {
      await deleteImage(id);
      gone.add(id);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 401) isOver = true;
      else if (status === 404) gone.add(id);
      else problems.set(id, reasonOf(error) ?? texts.toast.deleteFailed);
    }
  };
  await Promise.all(images.map((image) => limit(remove, image)));
  return { gone, problems };
}

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
  const name = single ? first.filename : 'images.zip';
  if (sendsLogin(url, first.url)) followLink(url, name);
  else saveBytes(await (single ? fetchOriginal(first.id) : fetchArchive(ids)), name);
}
