/** The public bytes: the link is the permission. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ImageRow } from '../../drizzle/schema.ts';
import {
  DecoderUnavailable,
  ImageExpired,
  LocationWithheld,
  NoSpace,
  NotFound,
  RenditionUnavailable,
  UnavailableForLegalReasons,
} from '../errors.ts';
import { refuses } from '../http/openapi/refusals.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { withoutLogin } from '../http/scopes.ts';
import { endOf, hasEnded } from '../images/expiry/expiry.ts';
import type { CachedLinks } from '../images/links/cached-links.ts';
import { linkKeyForm } from '../images/links/link-paths.ts';
import { findImageByLink } from '../images/queries.ts';
import { noImageAtLink } from '../images/refusals.ts';
import { hasRendition, type RenditionName, renditionNames, renditions } from '../images/rendition-names.ts';
import type { Delivery } from './delivery.ts';
import { createPublicHeaders, disposition } from './picture-headers.ts';
import { createRedirecting, type LinkTo, redirectTo } from './redirecting.ts';
import { refusalPages } from './refusal-page.ts';
import { shown } from './shown.ts';
import { refusalsOfBytes, sendStored, sendWhole } from './streaming/send-bytes.ts';

/** Of every public image. The last two: bytes that are missing are made again. */
export const refusalsOfImages = [
  ...[NotFound, ImageExpired, UnavailableForLegalReasons, ...refusalsOfBytes],
  ...[DecoderUnavailable, NoSpace],
];

const operations = {
  thumbnail: { operationId: 'getThumbnail', summary: 'Read a thumbnail by its link' },
  screen: { operationId: 'getScreen', summary: 'Read a screen rendition by its link' },
  thumbnailAvif: { operationId: 'getThumbnailAvif', summary: 'Read a thumbnail as AVIF by its link' },
  screenAvif: { operationId: 'getScreenAvif', summary: 'Read a screen rendition as AVIF by its link' },
} satisfies Record<RenditionName, object>;

type Options = {
  delivery: Delivery;
  links: CachedLinks;
  /** Signs links to the objects in the bucket; undefined if the server sends all bytes itself. */
  redirect: LinkTo | undefined;
  /** Whether the administrator runs a cache in front (CDN_URL). */
  shared: boolean;
  assets: PageAssets;
};

const keyForm = new RegExp(linkKeyForm);

/** Finds images by their links. @throws NotFound and the errors of `shown` */
function createLinkLookup(db: FastifyInstance['db'], links: CachedLinks) {
  async function findLinked(linkKey: string): Promise<ImageRow> {
    if (!keyForm.test(linkKey)) throw noImageAtLink();
    return shown(await links.row(linkKey, () => findImageByLink(db, linkKey)));
  }

  /** Where the row in memory has no such rendition, one may have been made this very moment. */
  async function findWith(name: RenditionName, linkKey: string): Promise<ImageRow> {
    const kept = await findLinked(linkKey);
    const row = hasRendition(kept, name) ? kept : shown(await findImageByLink(db, linkKey));
    if (!hasRendition(row, name)) throw noImageAtLink();
    return row;
  }

  return { findLinked, findWith };
}

export const imageLinks: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { delivery, links, redirect, shared, assets } = options;
  app.setErrorHandler<FastifyError>(refusalPages(assets));
  const linkTo = createRedirecting(redirect);
  const publicHeaders = createPublicHeaders(shared);
  const { findLinked, findWith } = createLinkLookup(app.db, links);

  async function sendOriginal(name: string, request: FastifyRequest, reply: FastifyReply) {
    const dot = name.indexOf('.');
    const row = await findLinked(name.slice(0, Math.max(dot, 0)));
    if (name.slice(dot + 1) !== row.extension) throw noImageAtLink();
    const end = endOf(row);
    reply.headers(publicHeaders(row.contentType, end));
    const source = await delivery.publicOriginal(row);
    const saved = disposition(row, 'inline');
    const bucketLink = await linkTo(source, { contentType: row.contentType, disposition: saved, end }, request);
    if (bucketLink) return redirectTo(reply, bucketLink);
    reply.header('content-disposition', saved);
    return sendStored(source, request, reply);
  }

  async function sendUncached(linkKey: string, name: RenditionName, request: FastifyRequest, reply: FastifyReply) {
    const { file, contentType } = renditions[name];
    const found = await links.fillRendition(`${linkKey}/${file}`, async () => {
      const row = await findWith(name, linkKey);
      return { rendition: await delivery.rendition(row, name, links.canKeepRendition), end: endOf(row) };
    });
    if (!found) throw noImageAtLink();
    const { rendition, end } = found;
    reply.headers(publicHeaders(contentType, end));
    if ('bytes' in rendition) return sendWhole(rendition, request, reply);
    const bucketLink = await linkTo(rendition, { contentType, disposition: 'inline', end }, request);
    return bucketLink ? redirectTo(reply, bucketLink) : sendStored(rendition, request, reply);
  }

  /** Without a promise where the rendition is in memory: that is most requests, and each await costs. */
  function sendRendition(linkKey: string, name: RenditionName, request: FastifyRequest, reply: FastifyReply) {
    const { file, contentType } = renditions[name];
    const cached = links.rendition(`${linkKey}/${file}`);
    if (!cached) return sendUncached(linkKey, name, request, reply);
    if (hasEnded(cached.end)) throw new ImageExpired();
    sendWhole(cached.rendition, request, reply.headers(publicHeaders(contentType, cached.end)));
    return undefined;
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/i/:name',
    config: { ...withoutLogin, ...refuses(...refusalsOfImages, LocationWithheld) },
    schema: {
      operationId: 'getPublicOriginal',
      summary: 'Read an original by its link',
      params: Type.Object({ name: Type.String() }),
    },
    handler: (request, reply) => sendOriginal(request.params.name, request, reply),
  });

  for (const name of renditionNames) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/i/:linkKey/${renditions[name].file}`,
      config: { ...withoutLogin, ...refuses(...refusalsOfImages, RenditionUnavailable) },
      schema: operations[name],
      handler: (request: FastifyRequest<{ Params: { linkKey: string } }>, reply) =>
        sendRendition(request.params.linkKey, name, request, reply),
    });
  }
};
