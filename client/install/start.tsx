import { createRoot } from 'react-dom/client';
import { workerAddress } from '../lib/trusted-types.ts';
import { PageLines } from './page-lines.tsx';
import { followShareOwner } from './share-owner.ts';

/** What the page has beyond its screens, begun once it has come to rest. */
export function start(): void {
  const lines = document.createElement('div');
  document.body.prepend(lines);
  createRoot(lines).render(<PageLines />);
  followShareOwner();
  // Vite's own server has no worker; over plain http, and where it is blocked, the page works without one.
  if (import.meta.env.PROD) {
    navigator.serviceWorker?.register(workerAddress('/sw.js'), { updateViaCache: 'none' }).catch(() => undefined);
  }
}
