/**
 * The service worker: caches the page's own files and receives shares from other apps. API calls and pictures bypass it, so no
 * account data is cached. The build adds it to the page (scripts/building/service-worker.mjs).
 */
import { receiveShare, shareAddress } from './share-target.ts';
import { createShell, type ShellFiles } from './shell.ts';
import type { WorkerScope } from './worker-scope.ts';

declare const __SHELL__: ShellFiles;

const worker = globalThis as unknown as WorkerScope;
const shell = createShell(__SHELL__);

/** Also what is below a collect link, but not the page of the link itself. */
const passedBy = ['/api/*', '/i/*', '/c/:key/:call', '/c/:key/:call/*'];
const isPassedBy = (pathname: string) => /^\/(?:(?:api|i)(?:\/|$)|c\/[^/]+\/.)/.test(pathname);

worker.addEventListener('install', (event) => {
  // Open pages keep their own version and are not reloaded.
  event.waitUntil(shell.store().then(() => worker.skipWaiting()));
  const rules = passedBy.map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network' as const,
  }));
  event.addRoutes?.(rules).catch(() => undefined);
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([shell.removeOld(), worker.registration.navigationPreload?.enable()]));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || isPassedBy(pathname)) return;
  if (request.method === 'POST' && pathname === shareAddress) event.respondWith(receiveShare(request));
  // The browser itself fetches these, so that the server sees which site started the request.
  if (request.method !== 'GET' || pathname === shareAddress) return;
  if (request.mode === 'navigate') event.respondWith(shell.page(request, event.preloadResponse));
  else if (shell.isFile(pathname)) event.respondWith(shell.file(request));
});
