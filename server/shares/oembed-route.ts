import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { previewsOf } from '../albums/page-pictures.ts';
import { OEmbed } from '../contract.ts';
import { FormatUnavailable, InvalidRequest, NotFound, ShareEnded } from '../errors.ts';
import { opening } from '../http/limits/guesses.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { PRODUCT } from '../http/page/document.ts';
import { withoutLogin } from '../http/scopes.ts';
import type { Admission } from './admission.ts';
import { KeyParams } from './limits.ts';
import type { FoundShare } from './public-queries.ts';
import { createReader, type ReaderParts } from './reading.ts';

const Sent = Type.Optional(Type.Unknown());
const OEmbedQuery = Type.Object({ url: Sent, format: Sent, maxwidth: Sent, maxheight: Sent });

export const oembedAddress = (origin: string, { path }: FoundShare) =>
  `${origin}${path}/oembed?format=json&url=${encodeURIComponent(origin + path)}`;

/** @returns px @throws InvalidRequest */
function readSide(sent: unknown): number {
  if (sent === undefined) return Number.POSITIVE_INFINITY;
  if (typeof sent === 'string' && /^[1-9]\d{0,8}$/.test(sent)) return Number(sent);
  throw new InvalidRequest('The fields "maxwidth" and "maxheight" are whole numbers of pixels from 1.');
}

type Parts = ReaderParts & { admission: Admission };

export const shareOEmbed: FastifyPluginAsyncTypebox<Parts> = async (app, parts) => {
  const { config, admission } = parts;
  const read = createReader(app, parts);

  app.route({
    method: 'GET',
    url: '/s/:key/oembed',
    config: { ...opening, ...withoutLogin, ...refuses(NotFound, ShareEnded, FormatUnavailable) },
    schema: {
      operationId: 'getShareOEmbed',
      summary: 'Describe a share for programs that embed it (oEmbed 1.0)',
      params: KeyParams,
      querystring: OEmbedQuery,
      response: { 200: OEmbed },
    },
    handler: async (request, reply) => {
      const { format = 'json', ...most } = request.query;
      if (format !== 'json') throw new FormatUnavailable();
      const [maxWidth, maxHeight] = [readSide(most.maxwidth), readSide(most.maxheight)];
      const share = await admission.findOpen(request.params.key);
      const isOpen = share.passwordHash === null;
      const lead = isOpen ? (await read(request, share, 1))?.lead : undefined;
      // The sizes are those of the bytes at the address: programs do not scale them.
      const picture = lead && previewsOf(lead).find(({ width, height }) => width <= maxWidth && height <= maxHeight);
      const origin = linkOrigin(request, config.publicUrl);
      reply.header('cache-control', 'no-store');
      return {
        version: '1.0' as const,
        type: picture ? ('photo' as const) : ('link' as const),
        title: share.name,
        provider_name: PRODUCT,
        provider_url: origin,
        cache_age: 60,
        ...(picture && { url: origin + picture.path, width: picture.width, height: picture.height }),
      };
    },
  });
};
