import type { Image } from '../../../server/contract.ts';

/**
 * Whether a plain link to `url` carries the login and keeps the file's name: it goes to this page's origin, and the login
 * cookie is not one for https alone, which a page opened by plain http never got. Links by https tell of such a server.
 */
export function sendsLogin(url: string, link: Image['url'], page: Pick<Location, 'origin' | 'protocol'> = location) {
  return isAt(page.origin, url) && !(page.protocol === 'http:' && link.startsWith('https:'));
}

function isAt(origin: string, url: string): boolean {
  try {
    return new URL(url, origin).origin === origin;
  } catch {
    return false;
  }
}

/** As a click on a link that saves. */
export function followLink(url: string, filename: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
}

/** For a file of another origin, where a link's `download` is ignored and carries no login: its bytes were fetched first. */
export function saveBytes(bytes: Blob, filename: string): void {
  const blobUrl = URL.createObjectURL(bytes);
  followLink(blobUrl, filename);
  // The browser has taken the blob over once the click is through.
  setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
}
