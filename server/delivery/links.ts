/** The public bytes: the link is the permission. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ImageRow } from '../../drizzle/schema.ts';
import { UnavailableForLegalReasons } from '../errors.ts';
import type { CachedLinks } from '../images/links/cached-links.ts';
import { linkKeyForm } from '../images/links/link-paths.ts';
import { findImageByLink } from '../images/queries.ts';
import { noImageAtLink } from '../images/refusals.ts';
import { hasRendition, type RenditionName, renditionNames, renditions } from '../images/rendition-names.ts';
import type { Delivery } from './delivery.ts';
import { createPublicHeaders, disposition } from './picture-headers.ts';
import { createRedirecting, type LinkTo, redirectTo } from './redirecting.ts';
import { sendStored, sendWhole } from './streaming/send-bytes.ts';

/** The one gate before public bytes. @throws NotFound, UnavailableForLegalReasons for an image that was hidden */
function shown(row: ImageRow | undefined): ImageRow {
  if (!row) throw noImageAtLink();
  if (row.hiddenAt) throw row.hiddenLegal ? new UnavailableForLegalReasons() : noImageAtLink();
  return row;
}

type Options = {
  delivery: Delivery;
  links: CachedLinks;
  /** Signs links to the objects in the bucket; undefined if the server sends all bytes itself. */
  redirect: LinkTo | undefined;
  /** Whether the administrator runs a cache in front (CDN_URL). */
  shared: boolean;
};

export const imageLinks: FastifyPluginAsyncTypebox<Options> = async (app, { delivery, links, redirect, shared }) => {
  const keyForm = new RegExp(linkKeyForm);
  const linkTo = createRedirecting(redirect);
  const publicHeaders = createPublicHeaders(shared);

  async function findLinked(linkKey: string): Promise<ImageRow> {
    if (!keyForm.test(linkKey)) throw noImageAtLink();
    return shown(await links.row(linkKey, () => findImageByLink(app.db, linkKey)));
  }

  /** Where the row in memory has no such rendition, one may have been made this very moment. */
  async function findWith(name: RenditionName, linkKey: string): Promise<ImageRow> {
    const kept = await findLinked(linkKey);
    const row = hasRendition(kept, name) ? kept : shown(await findImageByLink(app.db, linkKey));
    if (!hasRendition(row, name)) throw noImageAtLink();
    return row;
  }

  async function sendOriginal(name: string, request: FastifyRequest, reply: FastifyReply) {
    const dot = name.indexOf('.');
    const row = await findLinked(name.slice(0, Math.max(dot, 0)));
    if (name.slice(dot + 1) !== row.extension) throw noImageAtLink();
    reply.headers(publicHeaders(row.contentType));
    const source = await delivery.publicOriginal(row);
    const saved = disposition(row, 'inline');
    const bucketLink = await linkTo(source, { contentType: row.contentType, disposition: saved }, request);
    if (bucketLink) return redirectTo(reply, bucketLink);
    reply.header('content-disposition', saved);
    return sendStored(source, request, reply);
  }

  async function sendUncached(linkKey: string, name: RenditionName, request: FastifyRequest, reply: FastifyReply) {
    const { file, contentType } = renditions[name];
    const found = await links.fillRendition(`${linkKey}/${file}`, async () =>
      delivery.rendition(await findWith(name, linkKey), name, links.canKeepRendition),
    );
    if (!found) throw noImageAtLink();
    reply.headers(publicHeaders(contentType));
    if ('bytes' in found) return sendWhole(found, request, reply);
    const bucketLink = await linkTo(found, { contentType, disposition: 'inline' }, request);
    return bucketLink ? redirectTo(reply, bucketLink) : sendStored(found, request, reply);
  }

  /** Without a promise where the rendition is in memory: that is most requests, and each await costs. */
  function sendRendition(linkKey: string, name: RenditionName, request: FastifyRequest, reply: FastifyReply) {
    const { file, contentType } = renditions[name];
    const cached = links.rendition(`${linkKey}/${file}`);
    if (!cached) return sendUncached(linkKey, name, request, reply);
    sendWhole(cached, request, reply.headers(publicHeaders(contentType)));
    return undefined;
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
      handler: (request: FastifyRequest<{ Params: { linkKey: string } }>, reply) =>
        sendRendition(request.params.linkKey, name, request, reply),
    });
  }
};
