/** Asks, deletes, and shows the result. One image is many of one. */
import type { RefObject } from 'react';
import type { Image } from '../../../server/contract.ts';
import { deleteImage } from '../../api/images.ts';
import { imagesGone } from '../../image/changes.ts';
import { altOf } from '../../image/facts.ts';
import type { PreviewState } from '../../image/use-preview.ts';
import { focusPicture, holdsFocus } from '../../image/wall/focus-picture.ts';
import { pageInstead } from '../../image/wall/kept-page.ts';
import { neighbourOf } from '../../image/wall/neighbours.ts';
import { queries } from '../../query/queries.ts';
import { preview, selection, gallery as texts } from '../../text/words.ts';
import { ask } from '../../ui/dialogs/ask.ts';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import type { Address } from '../address.ts';
import type { GalleryPage } from '../image-list.ts';
import { imagesAt } from '../images-at.ts';
import type { Go } from '../use-address.ts';
import { deleteAll, type Outcome } from './outcome.ts';

function showOutcome({ gone, missing, problems }: Outcome, count: number): void {
  const failed = texts.toast.deleteFailed;
  if (problems.size > 0) {
    const [reason] = problems.values();
    showError(failed, count > 1 ? selection.someLeft(problems.size, count) : reason || undefined);
  } else if (count === 1 && missing.size === 1) showError(failed, preview.alreadyGone);
  else if (gone.size > 0) showSuccess(gone.size === 1 ? preview.deleted : selection.deleted(gone.size));
}

/**
 * @param target the open dialog, if any
 * @returns a function that deletes the images; undefined if the user cancels
 */
export async function askToDelete(
  images: readonly Image[],
  target: HTMLElement | undefined,
): Promise<(() => Promise<Outcome>) | undefined> {
  const [first] = images;
  if (first === undefined) return undefined;
  const { title, text, yes, no } = preview.confirm;
  const sure = await ask({
    title,
    text: images.length === 1 ? text : selection.confirm(images.length),
    confirm: yes,
    cancel: no,
    image: first.hidden ? undefined : { url: first.thumbnail_url, alt: altOf(first) },
    target,
  });
  if (!sure) return undefined;
  return async () => {
    const outcome = await deleteAll(images, deleteImage);
    showOutcome(outcome, images.length);
    return outcome;
  };
}

const LEAVE_MS = 200;

const pause = (): Promise<void> => {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return new Promise((resolve) => setTimeout(resolve, still ? 0 : LEAVE_MS));
};

export interface Place {
  readonly address: Address;
  readonly go: Go;
  readonly images: readonly Image[];
  readonly preview: PreviewState;
}

/** @param now the user may go elsewhere meanwhile @param setLeaving lets a card shrink away */
async function leaveOne({ id }: Image, now: Readonly<RefObject<Place>>, setLeaving: (id: string) => void) {
  const { images, preview } = now.current;
  const neighbour = neighbourOf(images, id);
  if (preview.id !== id) {
    setLeaving(id);
    await pause();
    if (holdsFocus(id)) focusPicture(neighbour?.id);
  } else if (neighbour) preview.show(neighbour.id);
  else {
    await preview.close();
    if (holdsFocus(id)) focusPicture(undefined);
  }
}

/** A single card shrinks away, and the focus or the overlay moves to its neighbour. An emptied page leads to another. */
export async function leaveScreen(
  gone: readonly Image[],
  now: Readonly<RefObject<Place>>,
  setLeaving: (id: string | null) => void,
): Promise<void> {
  const [only, ...others] = gone;
  if (only && others.length === 0) await leaveOne(only, now, setLeaving);
  imagesGone(gone.map(({ id }) => id));
  setLeaving(null);
  const { address, go } = now.current;
  const left = queries.read<GalleryPage>(imagesAt(address).key).data;
  const instead = left === undefined ? null : pageInstead(left);
  if (instead !== null && instead !== address.page) go({ ...address, page: instead, deleted: 0 }, 'replace');
  // Several deletions leave room on the page.
  else if (instead !== null || others.length > 0) await queries.fetch(imagesAt(address));
}
