import type { Image } from '../../../../server/contract.ts';

/**
 * Whether a plain link to `url` sends the login cookie and keeps the filename. It must be of this origin, and the page must not
 * be plain HTTP while the cookie is `Secure`; image links by HTTPS indicate such a server.
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
