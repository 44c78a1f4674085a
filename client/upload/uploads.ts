/** The page's only upload, and its toasts, which appear on every screen. */
import { useSyncExternalStore } from 'react';
import { isReady } from '../api/health.ts';
import { uploadImages } from '../api/images.ts';
import { afterPaint } from '../lib/after-paint.ts';
import { begin, end } from '../lib/unfinished.ts';
import { texts } from '../text/upload.ts';
import { showError, showSuccess } from '../ui/toast.tsx';
import { endToast } from './end-toast.ts';
import { wait } from './send/backoff.ts';
import { explain } from './send/failure.ts';
import { isResumable } from './send/groups.ts';
import { isReadable } from './send/is-readable.ts';
import { loadScript } from './send/load-script.ts';
import { preloadLoop } from './send/upload-job.ts';
import type { UploadState } from './upload-store.ts';
import { createUploader } from './uploader.ts';

const loadResumable = () => import('./send/resumable-upload.ts');

export const uploads = createUploader(
  {
    pageKey: crypto.getRandomValues(new Uint32Array(3)).join('-'),
    now: () => performance.now(),
    wait,
    painted: () => new Promise(afterPaint),
    isOnline: () => navigator.onLine,
    isReady,
    isReadable,
    sendForm: uploadImages,
    async sendResumable({ file, url }, report, signal) {
      const { uploadResumable } = await loadScript(loadResumable, report.onOffline, signal);
      return uploadResumable(file, url, report, signal);
    },
    explain,
  },
  (url) =>
    void loadResumable()
      .then(({ deleteUpload }) => deleteUpload(url))
      .catch(() => undefined),
);

/** Once per job: an unstable connection would repeat the toast. */
let hasReportedOffline = false;

uploads.onEvent((event) => {
  switch (event.kind) {
    case 'added':
      preloadLoop();
      if (uploads.getState().files.some(isResumable)) void loadResumable().catch(() => undefined);
      break;
    case 'started':
      hasReportedOffline = false;
      begin();
      break;
    case 'offline':
      if (!hasReportedOffline) showError(texts.toast.failure, texts.dock.lost);
      hasReportedOffline = true;
      break;
    case 'ended': {
      end();
      const toast = endToast(event.summary);
      if (toast) (toast.isError ? showError : showSuccess)(toast.text, toast.reason);
      break;
    }
  }
});

/** A part of the upload's state. The component renders again only if that part is replaced. */
export const useUpload = <Part>(part: (state: UploadState) => Part): Part =>
  useSyncExternalStore(uploads.subscribe, () => part(uploads.getState()));
