import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { workerAddress } from '../lib/trusted-types.ts';
import { followShareOwner } from './share-owner.ts';
import { VersionLine } from './version-line.tsx';

/** Starts what the page has besides its screens, once it is idle. */
export function start(): void {
  const lines = document.createElement('div');
  document.body.prepend(lines);
  createRoot(lines).render(
    <StrictMode>
      <VersionLine />
    </StrictMode>,
  );
  followShareOwner();
  // The dev server has no worker. Over plain HTTP, or if workers are blocked, the page works without one.
  if (import.meta.env.PROD) {
    navigator.serviceWorker?.register(workerAddress('/sw.js'), { updateViaCache: 'none' }).catch(() => undefined);
  }
}
