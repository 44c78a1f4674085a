/** The public bytes: the link is the permission. Strangers' bytes are served as strangers' bytes, on every answer. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ImageRow } from '../../drizzle/schema.ts';
import { NotFound } from '../errors.ts';
import { originalKey, screenKey, thumbnailKey } from './keys.ts';
import { linkKeyForm } from './link-paths.ts';
import { findImageByLink } from './queries.ts';
import { sendBytes } from './send-bytes.ts';

/** Nothing in a picture may load, run or be framed as ours; a style inside an SVG may stand. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

function setPictureHeaders(reply: FastifyReply, contentType: string): void {
  reply.headers({
    'content-type': contentType,
    'content-security-policy': picturePolicy,
    'x-content-type-options': 'nosniff',
    // Other sites may show the picture: that is what a link is for.
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-robots-tag': 'noindex',
  });
}

/** Headers are short: proxies and clients refuse them beyond some kilobytes, and a letter may take twelve bytes here. */
function shortName(filename: string): string {
  if (filename.length <= 120) return filename.toWellFormed();
  const extension = /\.[\w-]{1,10}$/.exec(filename)?.[0] ?? '';
  return `${filename.slice(0, 110)}${extension}`.toWellFormed();
}

/** A name for the saved file. An SVG is a document: on its own it is saved, and shown only as an image in a page. */
function disposition({ filename: kept, contentType }: ImageRow): string {
  const filename = shortName(kept);
  const type = contentType === 'image/svg+xml' ? 'attachment' : 'inline';
  return contentDisposition(filename, { type, fallback: filename.replace(/[^\x20-\x7e]|[%"\\]/g, '_') });
}

const gone = () => new NotFound('There is no image at this link. It may have been deleted.');

const Renditions = { 'thumbnail.webp': thumbnailKey, 'screen.webp': screenKey };

export const imageLinks: FastifyPluginAsyncTypebox<{ patience: number }> = async (app, { patience }) => {
  const keyForm = new RegExp(linkKeyForm);

  async function findLinked(linkKey: string): Promise<ImageRow> {
    const row = keyForm.test(linkKey) ? await findImageByLink(app.db, linkKey) : undefined;
    if (!row) throw gone();
    return row;
  }

  async function sendOriginal(name: string, request: FastifyRequest, reply: FastifyReply) {
    const dot = name.indexOf('.');
    const row = await findLinked(name.slice(0, Math.max(dot, 0)));
    if (name.slice(dot + 1) !== row.extension) throw gone();
    setPictureHeaders(reply, row.contentType);
    reply.header('content-disposition', disposition(row));
    const source = { size: row.size, etag: `"${row.sha256}"`, open: app.storage.read, key: originalKey(row), patience };
    return sendBytes(source, request, reply);
  }

  async function sendRendition(
    linkKey: string,
    name: keyof typeof Renditions,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const row = await findLinked(linkKey);
    if (name === 'screen.webp' && !row.hasScreen) throw gone();
    setPictureHeaders(reply, 'image/webp');
    const key = Renditions[name](row);
    const size = await app.storage.size(key);
    if (size === undefined) throw gone();
    return sendBytes({ size, etag: `"${row.sha256}-${name}"`, open: app.storage.read, key, patience }, request, reply);
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/i/:name',
    schema: { params: Type.Object({ name: Type.String() }) },
    handler: (request, reply) => sendOriginal(request.params.name, request, reply),
  });

  for (const name of ['thumbnail.webp', 'screen.webp'] as const) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/i/:linkKey/${name}`,
      schema: { params: Type.Object({ linkKey: Type.String() }) },
      handler: (request, reply) => sendRendition(request.params.linkKey, name, request, reply),
    });
  }
};
