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

/** Other extensions of the kinds of pictures. */
const aliases: Record<string, string> = {
  ...{ jpeg: 'jpg', jpe: 'jpg', jfif: 'jpg', tiff: 'tif', heif: 'heic', hif: 'heic' },
};
const kindOf = (extension = ''): string => aliases[extension.toLowerCase()] ?? extension.toLowerCase();
const ofPicture = /\.(?:jpe?g|jpe|jfif|png|webp|gif|avif|tiff?|svg|hei[cf]|hif)$/i;

/** The filename with the extension of the link, which may share another file than the original (server/images/filename.ts). */
export function savedName({ filename, url }: Pick<Image, 'filename' | 'url'>): string {
  const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1] ?? '';
  const claimed = /\.(\w+)$/.exec(filename)?.[1];
  if (claimed !== undefined && kindOf(claimed) === kindOf(extension)) return filename;
  return `${filename.replace(ofPicture, '')}.${extension}`;
}
