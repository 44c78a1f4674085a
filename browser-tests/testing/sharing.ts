/** Pictures shared by another app. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { eventually } from './eventually.ts';
import { png } from './files.ts';

/** Files of these names, in the form for `share()`. */
export async function shared(...names: string[]) {
  const files = [];
  for (const name of names) files.push(await png(name));
  return files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, base64: buffer.toString('base64') }));
}

export const isPending = async (t: Test, page: Page, ...names: string[]) => {
  for (const name of names) await page.getByRole('button', { name: `Remove ${name}`, exact: true }).waitFor();
  t.equal(await page.getByRole('button', { name: /^Remove / }).count(), names.length);
};

/** The number of stored shares. */
export const waiting = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('shares');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const counting = opening.result.transaction('shares').objectStore('shares').count();
      counting.onsuccess = () => { opening.result.close(); resolve(counting.result); };
    };
  })`);

/** Waits until the browser's database has a share owner, or none. */
export const ownerIsKnown = async (t: Test, page: Page, known = true) => {
  const read = (): Promise<boolean> =>
    page.evaluate(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('shares');
      opening.onerror = reject;
      opening.onsuccess = () => {
        const done = (value) => { opening.result.close(); resolve(value !== undefined); };
        if (!opening.result.objectStoreNames.contains('owner')) return done(undefined);
        const reading = opening.result.transaction('owner').objectStore('owner').get('id');
        reading.onsuccess = () => done(reading.result);
      };
    })`);
  await eventually(t, read, known, 'the owner of a share');
};
