/** The public bytes: the link is the permission. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ImageRow } from '../../drizzle/schema.ts';
import { NotFound, UnavailableForLegalReasons } from '../errors.ts';
import type { CachedLinks } from '../images/links/cached-links.ts';
import { linkKeyForm } from '../images/links/link-paths.ts';
import { findImageByLink } from '../images/queries.ts';
import { hasRendition, type RenditionName, renditionNames, renditions } from '../images/rendition-names.ts';
import type { Delivery } from './delivery.ts';
import type { HotLinks } from './hot-links.ts';
import { disposition, setPublicHeaders } from './picture-headers.ts';
import { createRedirecting, type LinkTo, lead } from './redirecting.ts';
import { sendBytes } from './streaming/send-bytes.ts';

const gone = () => new NotFound('There is no image at this link. It may have been deleted.');

/** The one gate before public bytes. @throws NotFound, UnavailableForLegalReasons for an image that was hidden */
function shown(row: ImageRow | undefined): ImageRow {
  if (!row) throw gone();
  if (row.hiddenAt) throw row.hiddenLegal ? new UnavailableForLegalReasons() : gone();
  return row;
}

type Options = {
  delivery: Delivery;
  links: CachedLinks;
  hot: HotLinks;
  /** Makes links to the stored bytes themselves, where readers are to be led there. */
  redirect: LinkTo | undefined;
  /** Whether the administrator runs a cache in front (CDN_URL). */
  shared: boolean;
};

export const imageLinks: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { delivery, links, hot, redirect, shared },
) => {
  const keyForm = new RegExp(linkKeyForm);
  const linkTo = createRedirecting(redirect);

  async function findLinked(linkKey: string): Promise<ImageRow> {
    if (!keyForm.test(linkKey)) throw gone();
    return shown(await links.row(linkKey, () => findImageByLink(app.db, linkKey)));
  }

  /** Where the row in memory has no such rendition, one may have been made this very moment. */
  async function findWith(name: RenditionName, linkKey: string): Promise<ImageRow> {
    const kept = await findLinked(linkKey);
    const row = hasRendition(kept, name) ? kept : shown(await findImageByLink(app.db, linkKey));
    if (!hasRendition(row, name)) throw gone();
    return row;
  }

  async function sendOriginal(name: string, request: FastifyRequest, reply: FastifyReply) {
    const dot = name.indexOf('.');
    const row = await findLinked(name.slice(0, Math.max(dot, 0)));
    if (name.slice(dot + 1) !== row.extension) throw gone();
    setPublicHeaders(reply, row.contentType, shared);
    const source = await delivery.publicOriginal(row);
    const saved = disposition(row, 'inline');
    const elsewhere = await linkTo(source, { contentType: row.contentType, disposition: saved }, request);
    if (elsewhere) return lead(reply, elsewhere);
    reply.header('content-disposition', saved);
    return sendBytes(source, request, reply);
  }

  async function sendRendition(linkKey: string, name: RenditionName, request: FastifyRequest, reply: FastifyReply) {
    const { file, contentType } = renditions[name];
    const path = `${linkKey}/${file}`;
    const found =
      links.rendition(path) ??
      (await links.keepRendition(path, async () => {
        const row = await findWith(name, linkKey);
        setPublicHeaders(reply, contentType, shared);
        const source = await delivery.rendition(row, name, links.canKeepRendition);
        const { bytes, etag } = source;
        return bytes ? { bytes, etag, contentType } : source;
      }));
    if (!found) throw gone();
    setPublicHeaders(reply, contentType, shared);
    if ('open' in found) {
      const elsewhere = await linkTo(found, { contentType, disposition: 'inline' }, request);
      return elsewhere ? lead(reply, elsewhere) : sendBytes(found, request, reply);
    }
    const { bytes, etag } = found;
    await sendBytes({ size: bytes.length, etag, bytes, open: async () => undefined }, request, reply);
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    hot.learn(found, { status: reply.statusCode, headers, route: request.routeOptions.url ?? '' }, request.raw);
    return reply;
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/i/:name',
    schema: { params: Type.Object({ name: Type.String() }) },
    handler: (request, reply) => sendOriginal(request.params.name, request, reply),
  });

  for (const name of renditionNames) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/i/:linkKey/${renditions[name].file}`,
      schema: { params: Type.Object({ linkKey: Type.String() }) },
      handler: (request, reply) => sendRendition(request.params.linkKey, name, request, reply),
    });
  }
};
