import type { Page, Route } from 'playwright-core';

/**
 * Holds the requests for `pattern` back until `release` is called; `reached` resolves with the first.
 * @param method the only one to be held; any by default
 * @param go what then becomes of each
 */
export async function hold(
  page: Page,
  pattern: string | RegExp,
  { method, go = (route) => route.continue() }: { method?: string; go?: (route: Route) => Promise<void> } = {},
): Promise<{ reached: Promise<void>; release: () => void }> {
  let release = () => {};
  let arrive = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(pattern, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.continue();
    arrive();
    await released;
    // The page may have given it up meanwhile.
    await go(route).catch(() => undefined);
  });
  return { reached, release };
}
