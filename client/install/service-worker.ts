/**
 * The service worker: keeps the page's own files, and takes what other apps share. Calls and pictures pass it by, so that
 * nothing of an account is ever kept. The build puts it beside the page (scripts/building/service-worker.mjs).
 */
import { receiveShare, shareAddress } from './share-target.ts';
import { createShell, type ShellFiles } from './shell.ts';
import type { WorkerScope } from './worker-scope.ts';

declare const __SHELL__: ShellFiles;

const worker = globalThis as unknown as WorkerScope;
const shell = createShell(__SHELL__);

const passedBy = ['/api/*', '/i/*'];
const isPassedBy = (pathname: string) => /^\/(?:api|i)(?:\/|$)/.test(pathname);

worker.addEventListener('install', (event) => {
  // Pages that stand open keep their own version, and are not loaded anew.
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
  // Asked for by the browser itself, so that the server is told which site began it.
  if (request.method !== 'GET' || pathname === shareAddress) return;
  if (request.mode === 'navigate') event.respondWith(shell.page(request, event.preloadResponse));
  else if (shell.isFile(pathname)) event.respondWith(shell.file(request));
});
