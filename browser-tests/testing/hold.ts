import type { Page, Route } from 'playwright-core';

/**
 * Holds requests for `pattern` until `release` is called; `reached` resolves with the first one.
 * @param method the only method to hold; any by default
 * @param go handles each released request
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
    // The page may have aborted the request meanwhile.
    await go(route).catch(() => undefined);
  });
  return { reached, release };
}
