/** The page's only upload, and its toasts, which appear on every screen. */
import { useSyncExternalStore } from 'react';
import { afterPaint } from '../lib/after-paint.ts';
import { allowUnload, blockUnload } from '../lib/unfinished.ts';
import { upload as texts } from '../text/words.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import { isResumable } from './send/groups.ts';
import type { UploadState } from './upload-store.ts';
import { createUploader } from './uploader.ts';

const loadSender = () => import('./send/browser-sender.ts');
const loadResumable = () => import('./send/resumable-upload.ts');
const loadEndToast = () => import('./end-toast.ts');

const inBackground = (work: Promise<unknown>): void => void work.catch(() => undefined);

export const uploads = createUploader(
  {
    now: () => performance.now(),
    painted: () => new Promise(afterPaint),
    loadSender: async () => (await loadSender()).send,
  },
  (url) => inBackground(loadResumable().then(({ deleteUpload }) => deleteUpload(url))),
);

/** Once per job: an unstable connection would repeat the toast. */
let hasReportedOffline = false;

uploads.onEvent((event) => {
  switch (event.kind) {
    case 'added':
      // What an upload needs loads ahead of it, while the network works.
      inBackground(Promise.all([loadSender(), loadEndToast()]));
      if (uploads.getState().files.some(isResumable)) inBackground(loadResumable());
      break;
    case 'started':
      hasReportedOffline = false;
      blockUnload();
      break;
    case 'offline':
      if (!hasReportedOffline) showError(texts.toast.failure, texts.dock.lost);
      hasReportedOffline = true;
      break;
    case 'ended':
      allowUnload();
      inBackground(
        loadEndToast().then(({ endToast }) => {
          const toast = endToast(event.summary);
          if (toast) (toast.isError ? showError : showSuccess)(toast.text, toast.reason);
        }),
      );
      break;
  }
});

/** A part of the upload's state. The component renders again only if that part is replaced. */
export const useUpload = <Part>(part: (state: UploadState) => Part): Part =>
  useSyncExternalStore(uploads.subscribe, () => part(uploads.getState()));
