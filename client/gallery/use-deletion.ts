import { useCallback, useRef, useState } from 'react';
import type { Image } from '../../server/contract.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { deleteImage } from '../api/images.ts';
import { texts } from '../text/gallery.ts';
import { confirm } from '../ui/confirm.ts';
import { showError, showSuccess } from '../ui/toast.tsx';
import { altOf } from './facts.ts';

export interface Deletion {
  /** ids whose deletion is on its way */
  readonly busy: ReadonlySet<string>;
  /** Asks, then deletes; `target` is the open dialog, if any. */
  readonly ask: (image: Image, target?: HTMLElement) => void;
  /** Whether the question is on the screen: keys belong to it then. */
  readonly isAsking: () => boolean;
}

/** True when the image is gone: deleted now, or found deleted already. Says which by a toast. */
async function tryDelete({ id }: Image): Promise<boolean> {
  try {
    await deleteImage(id);
    showSuccess(texts.toast.deleted);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    const gone = error instanceof ApiError && error.status === 404;
    showError(texts.toast.deleteFailed, gone ? texts.toast.alreadyGone : reasonOf(error));
    return gone;
  }
}

const pictureOf = (image: Image) => ({ url: image.thumbnail_url, alt: altOf(image) });

/** Deletion with its question. `onGone` is told of each image that is no more. */
export function useDeletion(onGone: (image: Image) => void): Deletion {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const asking = useRef(false);
  const gone = useRef(onGone);
  gone.current = onGone;
  const ask = useCallback(async (image: Image, target?: HTMLElement) => {
    if (asking.current) return;
    asking.current = true;
    const { title, text, yes, no } = texts.confirm;
    const question = { title, text, confirm: yes, cancel: no, image: pictureOf(image), target };
    // Without the question (its script may not come) nothing is deleted.
    const sure = await confirm(question).catch(() => {
      showError(texts.toast.deleteFailed);
      return false;
    });
    asking.current = false;
    if (!sure) return;
    setBusy((ids) => new Set(ids).add(image.id));
    const isGone = await tryDelete(image);
    if (isGone) gone.current(image);
    else setBusy((ids) => new Set([...ids].filter((id) => id !== image.id)));
  }, []);
  return {
    busy,
    ask: useCallback((image, target) => void ask(image, target), [ask]),
    isAsking: useCallback(() => asking.current, []),
  };
}
