import type { Page } from 'playwright-core';

/** Records every layout shift without user input: the element and both positions. */
export const watchShifts = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      for (const { node, previousRect, currentRect } of entry.sources)
        window.shifts.push([node?.outerHTML ?? node?.textContent, JSON.stringify(previousRect), JSON.stringify(currentRect)]);
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** The shifts so far, after the next paint. */
export async function shiftsOf(page: Page): Promise<string[][]> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  return page.evaluate('window.shifts');
}
