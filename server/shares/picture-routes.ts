/** The bytes of a share's pictures. The share is the permission, and is read for each request. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ImageRow } from '../../drizzle/schema.ts';
import { refusalsOfImages } from '../delivery/links.ts';
import { disposition, privateHeaders } from '../delivery/picture-headers.ts';
import { refusalPages } from '../delivery/refusal-page.ts';
import { shown } from '../delivery/shown.ts';
import { sendStored } from '../delivery/streaming/send-bytes.ts';
import { LocationWithheld, RenditionUnavailable, ShareEnded, TooManyRequests } from '../errors.ts';
import { refuses } from '../http/openapi/refusals.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { withoutLogin } from '../http/scopes.ts';
import { endOf } from '../images/expiry/expiry.ts';
import { noImageAtLink } from '../images/refusals.ts';
import { type RenditionName, renditionNames, renditions } from '../images/rendition-names.ts';
import { type Admission, nothingShared } from './admission.ts';
import { createLookUps } from './limits.ts';
import { refusalTexts } from './page-text.ts';
import type { createPictureCodes } from './picture-codes.ts';
import { type FoundShare, findSharedImage } from './public-queries.ts';
import { createRenditionSender } from './send-rendition.ts';

type Options = { assets: PageAssets; admission: Admission; codesOf: ReturnType<typeof createPictureCodes> };

const refusals = [...refusalsOfImages, ShareEnded, TooManyRequests];

const operations = {
  thumbnail: { operationId: 'getSharedThumbnail', summary: 'Read a thumbnail of a share' },
  screen: { operationId: 'getSharedScreen', summary: 'Read a screen rendition of a share' },
  thumbnailAvif: { operationId: 'getSharedThumbnailAvif', summary: 'Read a thumbnail of a share as AVIF' },
  screenAvif: { operationId: 'getSharedScreenAvif', summary: 'Read a screen rendition of a share as AVIF' },
} satisfies Record<RenditionName, object>;

/** Its owner's filename, or one that reveals nothing. */
const savedAs = ({ details }: FoundShare, { filename, extension, contentType }: ImageRow) =>
  disposition({ filename: details ? filename : 'image', extension, contentType }, 'inline');

export const sharePictures: FastifyPluginAsyncTypebox<Options> = async (app, { assets, admission, codesOf }) => {
  const { delivery } = app;
  const sendRenditionOf = createRenditionSender(app);
  const lookUps = createLookUps(app);
  app.setErrorHandler<FastifyError>(refusalPages(assets, refusalTexts));

  /** A wrong code answers as an unknown share does. @throws NotFound, ShareEnded, TooManyRequests */
  const lookUp = (request: FastifyRequest, key: string, code: string) =>
    lookUps(request, key, async () => {
      const share = await admission.admit(request, key);
      const imageId = codesOf(share.id).imageOf(code);
      const found = imageId === undefined ? undefined : await findSharedImage(app.db, share, imageId);
      if (!found) throw nothingShared();
      return { share, found };
    });

  /** @throws NotFound, ShareEnded, TooManyRequests, ImageExpired, UnavailableForLegalReasons */
  async function find(request: FastifyRequest, key: string, code: string) {
    const { share, found } = await lookUp(request, key, code);
    const row = shown(found);
    return { share, row, end: Math.min(share.end, endOf(row)) };
  }

  const headersOf = ({ passwordHash }: FoundShare, contentType: string, end: number) => ({
    ...privateHeaders(contentType, end),
    // Other sites may embed the pictures of a share without a password (oEmbed).
    ...(passwordHash === null && { 'cross-origin-resource-policy': 'cross-origin' }),
    'referrer-policy': 'no-referrer',
  });

  async function sendOriginal(request: FastifyRequest<{ Params: OriginalParams }>, reply: FastifyReply) {
    const { key, name } = request.params;
    const dot = name.indexOf('.');
    const { share, row, end } = await find(request, key, name.slice(0, Math.max(dot, 0)));
    if (!share.originals || name.slice(dot + 1) !== row.extension) throw noImageAtLink();
    const source = await delivery.redactedOriginal(row, share.id);
    reply.headers({ ...headersOf(share, row.contentType, end), 'content-disposition': savedAs(share, row) });
    return sendStored(source, request, reply);
  }

  async function sendRendition(
    request: FastifyRequest<{ Params: RenditionParams }>,
    reply: FastifyReply,
    name: RenditionName,
  ) {
    const { key, code } = request.params;
    const { share, row, end } = await find(request, key, code);
    const headers = headersOf(share, renditions[name].contentType, end);
    return sendRenditionOf(row, name, { request, reply, headers, payer: share.id });
  }

  app.route<{ Params: OriginalParams }>({
    method: ['GET', 'HEAD'],
    url: '/s/:key/i/:name',
    config: { ...withoutLogin, ...refuses(...refusals, LocationWithheld) },
    schema: {
      operationId: 'getSharedOriginal',
      summary: 'Read an original of a share, without the place',
      params: Type.Object({ key: Type.String(), name: Type.String() }),
    },
    handler: sendOriginal,
  });

  for (const name of renditionNames) {
    app.route<{ Params: RenditionParams }>({
      method: ['GET', 'HEAD'],
      url: `/s/:key/i/:code/${renditions[name].file}`,
      config: { ...withoutLogin, ...refuses(...refusals, RenditionUnavailable) },
      schema: operations[name],
      handler: (request, reply) => sendRendition(request, reply, name),
    });
  }
};

type OriginalParams = { key: string; name: string };
type RenditionParams = { key: string; code: string };
