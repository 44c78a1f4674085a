/** The page's only upload, and its toasts, which appear on every screen. */
import { useSyncExternalStore } from 'react';
import { isReady } from '../api/health.ts';
import { uploadImages } from '../api/images.ts';
import { begin, end } from '../lib/unfinished.ts';
import { texts } from '../text/upload.ts';
import { showError, showSuccess } from '../ui/toast.tsx';
import { endToast } from './end-toast.ts';
import { wait } from './send/backoff.ts';
import { explain } from './send/failure.ts';
import { goesInPieces } from './send/groups.ts';
import { loadPieces, warmPieces } from './send/load-script.ts';
import { isReadable } from './send/readable.ts';
import type { UploadState } from './upload-store.ts';
import { createUploader } from './uploader.ts';

export const uploads = createUploader({
  send: uploadImages,
  async sendInPieces({ file, url }, told, signal) {
    const { uploadInPieces } = await loadPieces(told.onLost, signal);
    return uploadInPieces(file, { url, ...told }, signal);
  },
  abandon(url) {
    import('./send/resumable-upload.ts').then(({ abandon }) => abandon(url)).catch(() => undefined);
  },
  explain,
  get unexplained() {
    return texts.reason.unknown;
  },
  get unreadable() {
    return texts.reason.unreadable;
  },
  isReadable,
  isOnline: () => navigator.onLine,
  isThere: isReady,
  pageKey: crypto.getRandomValues(new Uint32Array(3)).join('-'),
  now: () => performance.now(),
  wait,
});

/** Once per run: an unstable connection would repeat the toast. */
let toldOfLoss = false;

uploads.onEvent((event) => {
  if (event.kind === 'added' && uploads.getState().files.some(goesInPieces)) warmPieces();
  if (event.kind === 'started') begin();
  if (event.kind === 'started') toldOfLoss = false;
  if (event.kind === 'lost' && !toldOfLoss) {
    toldOfLoss = true;
    showError(texts.toast.failure, texts.dock.lost);
  }
  if (event.kind !== 'ended') return;
  end();
  const toast = endToast(event);
  if (toast) (toast.isError ? showError : showSuccess)(toast.text, toast.reason);
});

export const useUploads = (): UploadState => useSyncExternalStore(uploads.subscribe, uploads.getState);
