/** Asks, deletes and shows the result. One image is many of one. */
import type { Image } from '../../../server/contract.ts';
import { deleteImage } from '../../api/images.ts';
import { altOf } from '../../image/facts.ts';
import { preview, selection, gallery as texts } from '../../text/words.ts';
import { ask } from '../../ui/ask.ts';
import { showError, showSuccess } from '../../ui/toast.ts';
import { deleteAll, type Outcome } from './outcome.ts';

export { leaveScreen } from './leave-screen.ts';

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
