import type { Image } from '../../server/contract.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { deleteImage } from '../api/images.ts';
import { preview, gallery as texts } from '../text/words.ts';
import { ask } from '../ui/ask.ts';
import { showError, showSuccess } from '../ui/toast.ts';
import { altOf } from './facts.ts';

/** Deletes an image and shows the result. @returns true if the image is gone, deleted now or before */
async function tryDelete({ id }: Image): Promise<boolean> {
  try {
    await deleteImage(id);
    showSuccess(preview.deleted);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    const gone = error instanceof ApiError && error.status === 404;
    showError(texts.toast.deleteFailed, gone ? preview.alreadyGone : reasonOf(error));
    return gone;
  }
}

/** Asks first. @returns a function that deletes the image and resolves to whether it is gone; undefined if the user cancels */
export async function askToDelete(
  image: Image,
  target: HTMLElement | undefined,
): Promise<(() => Promise<boolean>) | undefined> {
  const { title, text, yes, no } = preview.confirm;
  const picture = image.hidden ? undefined : { url: image.thumbnail_url, alt: altOf(image) };
  const sure = await ask({ title, text, confirm: yes, cancel: no, image: picture, target });
  return sure ? () => tryDelete(image) : undefined;
}
