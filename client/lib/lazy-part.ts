import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Waits some ms, or until the network returns. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
  });
}

/** @param wait replaced in tests */
export async function untilLoaded<Module>(load: () => Promise<Module>, wait = pause): Promise<Module> {
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
    try {
      return await load();
    } catch {
      await wait(ms);
    }
  }
}

/**
 * React's lazy() for a part of a page: a failure to load does not reach the error boundary of the page. The fallback of <Suspense>
 * stays until a later try succeeds.
 */
// biome-ignore lint/suspicious/noExplicitAny: as in React's types
export const lazyPart = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>): LazyExoticComponent<T> =>
  lazy(() => untilLoaded(load));
