/** The gallery's selection, its toolbar and its downloads. */
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Download, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';
import { pictureOf } from './gallery.ts';

export const tick = (page: Page, name: string): Locator => page.getByRole('checkbox', { name: `Select ${name}` });

export const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selection' });

export const tool = (page: Page, name: string): Locator => bar(page).getByRole('button', { name, exact: true });

export const selectButton = (page: Page): Locator => page.getByRole('button', { name: 'Select', exact: true });

const names = (page: Page): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('main li:has(:checked) bdi')].map((name) => name.textContent)");

/** Asserts that exactly these cards of the page are selected, and that the bar shows their number, or `count` across pages. */
export async function areSelected(t: Test, page: Page, wanted: string[], count = wanted.length): Promise<void> {
  await eventually(t, () => names(page), wanted, `selected: ${wanted.join(', ') || 'none'}`);
  await bar(page).getByText(`${count} selected`, { exact: true }).waitFor();
}

/** Waits for the script of the frame, which loads when the page is idle. */
export async function canSweep(t: Test, page: Page): Promise<void> {
  const loaded = "performance.getEntriesByType('resource').some(({ name }) => /rubber-band.*js$/.test(name))";
  await eventually(t, () => page.evaluate(loaded), true, 'frames can be drawn');
  await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
}

type Corner = { of: string; x: number; y: number };

/** Draws a frame between two points near pictures; x and y are relative to the picture's top left corner. */
export async function sweep(page: Page, from: Corner, to: Corner): Promise<void> {
  const at = async ({ of, x, y }: Corner) => {
    const box = await pictureOf(page, of).boundingBox();
    return { x: (box?.x ?? 0) + x, y: (box?.y ?? 0) + y };
  };
  const [start, end] = [await at(from), await at(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
}

/** Rests a finger on an element until `isThere` resolves. */
export async function longPress(page: Page, element: Locator, isThere: () => Promise<unknown>): Promise<void> {
  const box = await element.boundingBox();
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await isThere();
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}

export const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path());

export async function unpacked(download: Download): Promise<Map<string, Buffer>> {
  const files = Object.entries(unzipSync(await bytesOf(download)));
  return new Map(files.map(([name, bytes]) => [name, Buffer.from(bytes)]));
}
