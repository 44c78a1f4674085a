import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** Short gaps of the network are no news. */
const SILENT_FAILURES = 3;

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

/** @param onFailing called once, after the third failure @param wait replaced in tests */
export async function untilLoaded<Module>(
  load: () => Promise<Module>,
  onFailing: () => void = () => {},
  wait = pause,
): Promise<Module> {
  for (let [ms, failures] = [FIRST_PAUSE_MS, 1]; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS), failures += 1) {
    try {
      return await load();
    } catch {
      if (failures === SILENT_FAILURES) onFailing();
      await wait(ms);
    }
  }
}

let show = (_isFailing: boolean): void => {};

/** @param listener learns whether a needed part fails to load again and again */
export function watchParts(listener: (isFailing: boolean) => void): void {
  show = listener;
}

let failing = 0;

async function orReported<Module>(load: () => Promise<Module>): Promise<Module> {
  let isReported = false;
  const module = await untilLoaded(load, () => {
    isReported = true;
    failing += 1;
    show(true);
  });
  if (isReported) failing -= 1;
  if (isReported && failing === 0) show(false);
  return module;
}

// biome-ignore lint/suspicious/noExplicitAny: as in React's types
type Load<T extends ComponentType<any>> = () => Promise<{ default: T }>;

/**
 * React's lazy() for a part of a page: a failure to load does not reach the error boundary of the page. The fallback of <Suspense>
 * stays until a later try succeeds. Only a reload helps if the file is of an earlier version, or if the browser keeps the failure
 * (Chrome 111, Firefox before 155), so the page offers one.
 */
// biome-ignore lint/suspicious/noExplicitAny: as in React's types
export const lazyPart = <T extends ComponentType<any>>(load: Load<T>): LazyExoticComponent<T> =>
  lazy(() => orReported(load));

/** The same for a part that nobody misses. */
// biome-ignore lint/suspicious/noExplicitAny: as in React's types
export const optionalPart = <T extends ComponentType<any>>(load: Load<T>): LazyExoticComponent<T> =>
  lazy(() => untilLoaded(load));
