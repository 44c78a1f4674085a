import type { Locator, Page } from 'playwright-core';

/** The text as it is read on the screen, without what is hidden. */
// biome-ignore lint/performance/useDomNodeTextContent: textContent holds hidden words too
export const textOf = (locator: Locator): Promise<string> => locator.innerText();

// The page's own; the server's compiler knows no DOM.
declare const getComputedStyle: (element: unknown) => { opacity: string };

/** The width of a picture's own pixels; 0 as long as it is not loaded. */
export const naturalWidth = (image: Locator): Promise<number> =>
  image.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth);

export const opacityOf = (element: Locator): Promise<string> =>
  element.evaluate((found) => getComputedStyle(found).opacity);

/** Calls a function of the page, given by its source, with values that JSON can carry. */
export const callInPage = (page: Page, source: string, ...values: unknown[]): Promise<unknown> =>
  page.evaluate(`(${source})(${values.map((value) => JSON.stringify(value)).join(', ')})`);
