/** A page controlled by its service worker. */
import type { Page } from 'playwright-core';

/** Waits until the service worker is active, and reloads the page so that the worker controls it. */
export async function behindWorker(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** The browser's caches: their names, and the URLs in each. */
export const cached = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(`(async () => {
    const entries = (await caches.keys()).map(async (key) => {
      const requests = await (await caches.open(key)).keys();
      return [key, requests.map(({ url }) => new URL(url).pathname)];
    });
    return Object.fromEntries(await Promise.all(entries));
  })()`);

type SharedFile = { name: string; type: string; base64: string };

/** Posts a form with files to /share, like a phone's share dialog, and waits for the page it redirects to. */
export async function share(page: Page, files: SharedFile[], action = '/share'): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.evaluate(post(files, action))]);
}

const post = (files: SharedFile[], action: string): string => `(() => {
    const transfer = new DataTransfer();
    for (const { name, type, base64 } of ${JSON.stringify(files)}) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    const form = Object.assign(document.createElement('form'), { method: 'post', action: ${JSON.stringify(action)}, enctype: 'multipart/form-data' });
    const input = Object.assign(document.createElement('input'), { type: 'file', name: 'images', multiple: true });
    input.files = transfer.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  })()`;
