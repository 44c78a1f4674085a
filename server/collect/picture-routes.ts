/** Renditions below a collect link. Originals stay with the owner: they contain names and places. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import { privateHeaders } from '../delivery/picture-headers.ts';
import { shown } from '../delivery/shown.ts';
import { refusalsOfBytes } from '../delivery/streaming/send-bytes.ts';
import {
  CollectEnded,
  DecoderUnavailable,
  GuestNeeded,
  ImageExpired,
  NoSpace,
  NotFound,
  RenditionUnavailable,
  UnavailableForLegalReasons,
} from '../errors.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { withoutLogin } from '../http/scopes.ts';
import { endOf } from '../images/expiry/expiry.ts';
import { type RenditionName, renditionNames, renditions } from '../images/rendition-names.ts';
import type { createPictureCodes } from '../shares/picture-codes.ts';
import { findSharedImage } from '../shares/public-queries.ts';
import { createRenditionSender } from '../shares/send-rendition.ts';
import type { Admission, Found } from './admission.ts';
import { ImageParams } from './limits.ts';
import { imageOfGuest } from './public-queries.ts';

type Options = { admission: Admission; codesOf: ReturnType<typeof createPictureCodes> };

const refusals = [
  ...[NotFound, CollectEnded, GuestNeeded, ImageExpired, UnavailableForLegalReasons, ...refusalsOfBytes],
  ...[DecoderUnavailable, NoSpace, RenditionUnavailable],
];

const operations = {
  thumbnail: { operationId: 'getGuestThumbnail', summary: 'Read a thumbnail below a collect link' },
  screen: { operationId: 'getGuestScreen', summary: 'Read a screen rendition below a collect link' },
  thumbnailAvif: { operationId: 'getGuestThumbnailAvif', summary: 'Read a thumbnail below a collect link as AVIF' },
  screenAvif: { operationId: 'getGuestScreenAvif', summary: 'Read a screen rendition below a collect link as AVIF' },
} satisfies Record<RenditionName, object>;

export const guestPictures: FastifyPluginAsyncTypebox<Options> = async (app, { admission, codesOf }) => {
  const sendRendition = createRenditionSender(app);

  /**
   * The guest's own image, also while it waits and after the end; else one of the album, if guests see it.
   * @throws NotFound, CollectEnded, GuestNeeded
   */
  async function find(found: Found, code: string): Promise<{ row: ImageRow; end: number }> {
    const { link } = found;
    const imageId = codesOf(link.id).imageOf(code);
    const own = imageId && admission.isKnown(found) && (await imageOfGuest(app.db, found.guest.id, imageId));
    if (own) return { row: own.row, end: endOf(own.row) };
    admission.assertSees(found);
    const row = shown(imageId && link.open ? await findSharedImage(app.db, link, imageId) : undefined);
    return { row, end: Math.min(link.end, endOf(row)) };
  }

  for (const name of renditionNames) {
    const { file, contentType } = renditions[name];
    app.route({
      method: ['GET', 'HEAD'],
      url: `/i/:code/${file}`,
      config: { ...withoutLogin, ...refuses(...refusals) },
      schema: { ...operations[name], params: ImageParams },
      handler: async (request: FastifyRequest<{ Params: { key: string; code: string } }>, reply) => {
        const found = await admission.look(request, request.params.key);
        const { row, end } = await find(found, request.params.code);
        const headers = { ...privateHeaders(contentType, end), 'referrer-policy': 'no-referrer' };
        return sendRendition(row, name, { request, reply, headers, payer: found.link.id });
      },
    });
  }
};
