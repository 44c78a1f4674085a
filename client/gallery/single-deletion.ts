import type { Image } from '../../server/contract.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { deleteImage } from '../api/images.ts';
import { texts } from '../text/gallery.ts';
import { texts as preview } from '../text/preview.ts';
import { ask } from '../ui/ask.ts';
import { showError, showSuccess } from '../ui/toast.tsx';
import { altOf } from './facts.ts';

/** True when the image is gone: deleted now, or found deleted already. Says which by a toast. */
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

/** Asks first. @returns what deletes the image and tells whether it is gone; undefined where the answer was no */
export async function askToDelete(
  image: Image,
  target: HTMLElement | undefined,
): Promise<(() => Promise<boolean>) | undefined> {
  const { title, text, yes, no } = preview.confirm;
  const picture = image.hidden ? undefined : { url: image.thumbnail_url, alt: altOf(image) };
  const sure = await ask({ title, text, confirm: yes, cancel: no, image: picture, target });
  return sure ? () => tryDelete(image) : undefined;
}
