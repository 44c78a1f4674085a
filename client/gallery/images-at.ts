import { ApiError, reasonOf } from '../api/api-error.ts';
import { listImages } from '../api/images.ts';
import { gallery as texts } from '../text/words.ts';
import { showError } from '../ui/toasts/toast.ts';
import { createImageList } from './image-list.ts';

/** The query of the gallery's page at an address. */
export const imagesAt = createImageList(
  listImages,
  () => document.documentElement.lang,
  (error) => {
    // The end of the session has its own message.
    if (!(error instanceof ApiError && error.status === 401)) showError(texts.loadFailed, reasonOf(error));
  },
);
