/** Changes when an image expires, and offers to undo it. */
import type { Image, ImageChange } from '../../../server/contract.ts';
import { ApiError, reasonOf } from '../../api/api-error.ts';
import { changeImage } from '../../api/images.ts';
import { albumsKey, imagesKey } from '../../query/keys.ts';
import { invalidate } from '../../query/queries.ts';
import { preview } from '../../text/words.ts';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import { offerUndo, withdrawUndoOf } from '../../ui/toasts/undoing.ts';
import { imageChanged } from '../changes.ts';
import { isAllowed } from './expiry-choice.ts';
import { describeEnd } from './time-left.ts';

/** Longer than Undo is offered. */
const UNDO_MS = 60_000;

/** Whether the server would accept the former end again. */
const canReturn = ({ expires_at: end }: Image): boolean =>
  end === null || isAllowed(Date.parse(end), Date.now() + UNDO_MS);

function resultOf({ expires_at: end }: Image): string {
  return end === null ? preview.expiry.kept : describeEnd(end, Date.parse(end) - Date.now()).sentence;
}

/** Reports a failure whose form is gone. */
export const reportFailure = (error: unknown): void => showError(preview.expiry.failed, reasonOf(error));

async function undo({ id, expires_at }: Image): Promise<void> {
  try {
    const image = await changeImage(id, { expires_at });
    imageChanged(image);
    showSuccess(resultOf(image));
  } catch (error) {
    reportFailure(error);
  }
}

/** @throws what the call throws */
export async function changeExpiry(before: Image, change: ImageChange): Promise<void> {
  try {
    const image = await changeImage(before.id, change);
    imageChanged(image);
    withdrawUndoOf(image.id);
    if (canReturn(before))
      offerUndo(
        () => resultOf(image),
        () => void undo(before),
        image.id,
      );
    else showSuccess(resultOf(image));
  } catch (error) {
    // It was deleted meanwhile, or has expired.
    if (error instanceof ApiError && error.status === 404) for (const key of [imagesKey, albumsKey]) invalidate(key);
    throw error;
  }
}
