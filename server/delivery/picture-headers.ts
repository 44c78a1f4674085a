/** Headers of uploaded bytes, which are untrusted, beside those of every response (http/response-headers.ts). */
import contentDisposition from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import { NEVER, secondsLeft } from '../images/expiry/expiry.ts';
import { savedName } from '../images/filename.ts';

/** A picture may not load, run or be framed; only inline styles of an SVG are allowed. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

const guards = (contentType: string) => ({
  'content-type': contentType,
  'content-security-policy': picturePolicy,
});

/** Seconds after which a CDN (CDN_URL) revalidates a link, and every cache one that expires: its owner may end it earlier. */
const sharedFor = 60;

/**
 * Headers of public bytes by their type and end (ms since 1970), built once for each. No cache may keep bytes beyond the end.
 * @param shared whether a CDN is in front
 */
export function createPublicHeaders(shared: boolean): (contentType: string, end: number) => Record<string, string> {
  const forever = `public, max-age=31536000, ${shared ? `s-maxage=${sharedFor}, ` : ''}immutable`;
  const built = new Map<string, Record<string, string>>();
  const headersOf = (key: string, contentType: string, cacheControl: string) => {
    const present = built.get(key);
    if (present) return present;
    const headers = {
      ...guards(contentType),
      // Other sites may embed the picture.
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': cacheControl,
    };
    built.set(key, headers);
    return headers;
  };
  return (contentType, end) => {
    if (end === NEVER) return headersOf(contentType, contentType, forever);
    const seconds = Math.min(sharedFor, secondsLeft(end));
    return headersOf(`${contentType} ${seconds}`, contentType, `public, max-age=${seconds}, must-revalidate`);
  };
}

/** Seconds for which a visitor's browser may show a picture of a share again without a request. */
const privateFor = 300;

/** Headers of bytes that only the visitor's own browser may keep, and not beyond their end (ms since 1970). */
export const privateHeaders = (contentType: string, end: number): Record<string, string> => ({
  ...guards(contentType),
  'cache-control': `private, max-age=${Math.min(privateFor, secondsLeft(end))}, must-revalidate`,
});

/** Headers of bytes for the owner, which no cache may store. */
export const ownerHeaders = (contentType: string): Record<string, string> => ({
  ...guards(contentType),
  'cache-control': 'private, no-store',
});

export function setPrivateHeaders(reply: FastifyReply, contentType: string): void {
  reply.headers(ownerHeaders(contentType));
}

/** Shortens a name for a header: proxies refuse long headers, and a character may take twelve bytes. */
function shortName(filename: string): string {
  if (filename.length <= 120) return filename.toWellFormed();
  const extension = /\.[\w-]{1,10}$/.exec(filename)?.[0] ?? '';
  return `${filename.slice(0, 110)}${extension}`.toWellFormed();
}

/** The Content-Disposition header. An SVG is a document, so it is always saved instead of opened. */
export function disposition(
  { filename: kept, extension, contentType }: Pick<ImageRow, 'filename' | 'extension' | 'contentType'>,
  wanted: 'inline' | 'attachment',
): string {
  const filename = savedName(shortName(kept), extension);
  const type = contentType === 'image/svg+xml' ? 'attachment' : wanted;
  return contentDisposition(filename, { type, fallback: filename.replace(/[^\x20-\x7e]|[%"\\]/g, '_') });
}
