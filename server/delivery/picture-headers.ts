/** Strangers' bytes are served as strangers' bytes, on every answer, errors included. */
import contentDisposition from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';

/** Nothing in a picture may load, run or be framed as ours; a style inside an SVG may stand. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

const guards = (contentType: string) => ({
  'content-type': contentType,
  'content-security-policy': picturePolicy,
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
});

/** Seconds after which a cache of the administrator's own (CDN_URL) asks again whether a link still lives. */
const sharedFor = 60;

/** Of what a link hands out. @param shared whether such a cache stands in front */
export function setPublicHeaders(reply: FastifyReply, contentType: string, shared: boolean): void {
  reply.headers({
    ...guards(contentType),
    // Other sites may show the picture: that is what a link is for.
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': `public, max-age=31536000, ${shared ? `s-maxage=${sharedFor}, ` : ''}immutable`,
  });
}

/** Of what its owner alone may have: nothing on the way keeps it. */
export function setPrivateHeaders(reply: FastifyReply, contentType: string): void {
  reply.headers({ ...guards(contentType), 'cache-control': 'private, no-store' });
}

/** Headers are short: proxies and clients refuse them beyond some kilobytes, and a letter may take twelve bytes here. */
function shortName(filename: string): string {
  if (filename.length <= 120) return filename.toWellFormed();
  const extension = /\.[\w-]{1,10}$/.exec(filename)?.[0] ?? '';
  return `${filename.slice(0, 110)}${extension}`.toWellFormed();
}

/** A name for the saved file. An SVG is a document: on its own it is saved, and shown only as an image in a page. */
export function disposition(
  { filename: kept, contentType }: Pick<ImageRow, 'filename' | 'contentType'>,
  wanted: 'inline' | 'attachment',
): string {
  const filename = shortName(kept);
  const type = contentType === 'image/svg+xml' ? 'attachment' : wanted;
  return contentDisposition(filename, { type, fallback: filename.replace(/[^\x20-\x7e]|[%"\\]/g, '_') });
}
