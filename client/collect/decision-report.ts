import type { WaitingImage } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { links as texts } from '../text/words.ts';
import type { Decided } from './decide-in-batches.ts';

export type Decision = 'admit' | 'refuse';

/** A toast. */
export interface Report {
  readonly isError: boolean;
  readonly text: string;
  readonly reason: string | undefined;
}

const sentences = (...all: readonly (string | false | undefined)[]): string | undefined =>
  all.filter((text) => text).join(' ') || undefined;

/** @param images those that were to be decided */
export function reportOf(
  decision: Decision,
  images: readonly Pick<WaitingImage, 'id' | 'album'>[],
  { decided, unknown, failure }: Decided,
): Report {
  const { wait } = texts.collect;
  const count = decided.length;
  // Their album was deleted: admitting them only opens their links.
  const loose =
    decision === 'admit' ? images.filter(({ id, album }) => album === null && decided.includes(id)).length : 0;
  const gone = unknown.length > 0 && wait.gone(unknown.length);
  const noAlbum = loose > 0 && wait.noAlbum(loose);
  if (failure !== undefined) {
    const text = wait.stopped(count + unknown.length, images.length);
    return { isError: true, text, reason: sentences(noAlbum, gone, reasonOf(failure)) };
  }
  if (count === 0) return { isError: true, text: texts.failed, reason: sentences(gone) };
  const done = decision === 'refuse' ? wait.refused : loose > 0 ? wait.admittedOnly : wait.admitted;
  return { isError: false, text: done(count), reason: sentences(noAlbum, gone) };
}
