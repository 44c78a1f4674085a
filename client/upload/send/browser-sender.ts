/** Sends with this browser. Loaded when the first files are listed. */
import { isReady } from '../../api/health.ts';
import { uploadImages } from '../../api/upload-images.ts';
import { invalidating } from '../../query/images-stored.ts';
import { wait } from './backoff.ts';
import type { Environment } from './environment.ts';
import { explain } from './failure.ts';
import { isReadable } from './is-readable.ts';
import { loadScript } from './load-script.ts';
import { type Sender, sendWaiting } from './upload-loop.ts';

const loadResumable = () => import('./resumable-upload.ts');

const environment: Environment = {
  pageKey: crypto.getRandomValues(new Uint32Array(3)).join('-'),
  now: () => performance.now(),
  wait,
  isOnline: () => navigator.onLine,
  isReady,
  isReadable,
  sendForm: invalidating(uploadImages),
  async sendResumable({ file, key, url }, report, signal) {
    const { uploadResumable } = await loadScript(loadResumable, report.onOffline, signal);
    return uploadResumable({ file, key }, url, report, signal);
  },
  explain,
};

export const send: Sender = (store, plan, signals) => sendWaiting(store, environment, plan, signals);
