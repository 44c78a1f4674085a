/** The one upload of the page, and what it says when it ends, whatever screen is open then. */
import { useSyncExternalStore } from 'react';
import { uploadImages } from '../api/images.ts';
import { begin, end } from '../lib/unfinished.ts';
import { texts } from '../text/upload.ts';
import { showError, showSuccess } from '../ui/toast.tsx';
import { explain } from './failure.ts';
import { createUploader, type UploadEvent, type UploadState } from './uploader.ts';

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export const uploads = createUploader({
  send: uploadImages,
  async sendInPieces({ file, url }, told, signal) {
    const { uploadInPieces } = await import('./pieces.ts');
    return uploadInPieces(file, { url, ...told }, signal);
  },
  abandon(url) {
    import('./pieces.ts').then(({ abandon }) => abandon(url)).catch(() => undefined);
  },
  explain,
  get unexplained() {
    return texts.reason.unknown;
  },
  now: () => performance.now(),
  wait,
});

function sayEnd(event: UploadEvent): void {
  if (event.kind !== 'ended' || event.cancelled || event.session) return;
  const places = texts.locations(event.locations);
  if (event.refused === 0) showSuccess(texts.toast.success, places);
  else if (event.stored > 0) {
    showError(texts.toast.failure, `${texts.toast.counts(event.stored, event.refused)} ${places}`.trim());
  } else showError(texts.toast.failure, event.reason ?? undefined);
}

uploads.onEvent((event) => {
  sayEnd(event);
  if (event.kind === 'started') begin();
  if (event.kind === 'ended') end();
});

export const useUploads = (): UploadState => useSyncExternalStore(uploads.subscribe, uploads.getState);
