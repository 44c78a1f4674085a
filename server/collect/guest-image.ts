import type { FastifyRequest } from 'fastify';
import type { GuestImage } from '../contract.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { imageAnswer } from '../images/answer.ts';
import type { ShownImage } from '../images/columns.ts';
import type { createPictureCodes } from '../shares/picture-codes.ts';
import type { FoundLink } from './public-queries.ts';

export type ShowGuest = (
  request: FastifyRequest,
  link: Pick<FoundLink, 'id' | 'path'>,
  row: ShownImage,
  /** As the guest sent it; undefined for the images of others. */
  filename: string | undefined,
) => GuestImage;

/** What guests learn of an image: renditions below the link's path, and nothing by which the image is found elsewhere. */
export const showGuest =
  (codesOf: ReturnType<typeof createPictureCodes>, publicUrl: string | undefined): ShowGuest =>
  (request, { id, path }, row, filename) => {
    const code = codesOf(id).codeOf(row.id);
    // Without originals, and with the code in the place of the link's key, as in shares.
    const linked = { ...row, linkKey: code, traces: 'unreadable' } as const;
    const image = imageAnswer(linked, linkOrigin(request, publicUrl) + path, true);
    const { width, height, placeholder, thumbnail_url, screen_url } = image;
    return {
      ...{ id: code, filename: filename ?? null, own: filename !== undefined, waiting: row.waiting },
      size: filename === undefined ? null : row.size,
      ...{ width, height, placeholder, thumbnail_url, screen_url },
    };
  };
