import type { Locator, Page } from 'playwright-core';

/** The visible text, without hidden parts. */
// biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden words
export const textOf = (locator: Locator): Promise<string> => locator.innerText();

// Declared here, because tests are compiled without the DOM types.
declare const getComputedStyle: (element: unknown) => { opacity: string };

/** A picture's intrinsic width; 0 until it has loaded. */
export const naturalWidth = (image: Locator): Promise<number> =>
  image.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth);

export const opacityOf = (element: Locator): Promise<string> =>
  element.evaluate((found) => getComputedStyle(found).opacity);

/** Calls a function, given as source, in the page with JSON values. */
export const callInPage = (page: Page, source: string, ...values: unknown[]): Promise<unknown> =>
  page.evaluate(`(${source})(${values.map((value) => JSON.stringify(value)).join(', ')})`);
