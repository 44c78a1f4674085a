import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import { shown } from '../delivery/shown.ts';
import { sendStored, sendWhole } from '../delivery/streaming/send-bytes.ts';
import { endOf } from '../images/expiry/expiry.ts';
import { findImageByLink } from '../images/queries.ts';
import { noImageAtLink } from '../images/refusals.ts';
import { hasRendition, type RenditionName, renditions } from '../images/rendition-names.ts';

type Sending = {
  request: FastifyRequest;
  reply: FastifyReply;
  headers: Record<string, string>;
  /** The link whose visitor waits; by default the owner. */
  payer?: string;
};

/** Sends renditions of images that the caller has admitted. */
export function createRenditionSender({ db, delivery, images: { links } }: FastifyInstance) {
  /** The same bytes in memory as of the permanent link, unless that link is closed: the cache would open it. */
  async function find(row: ImageRow, name: RenditionName, payer?: string) {
    if (row.hiddenAt !== null) return delivery.rendition(row, name, () => false, payer);
    const path = `${row.linkKey}/${renditions[name].file}`;
    const found =
      links.rendition(path) ??
      (await links.fillRendition(path, async () => {
        // The cache only notices changes from here on: the row above may be older than a new link or a deletion.
        const current = shown(await findImageByLink(db, row.linkKey));
        const rendition = await delivery.rendition(current, name, links.canKeepRendition, payer);
        return { rendition, end: endOf(current) };
      }));
    if (!found) throw noImageAtLink();
    return found.rendition;
  }

  return async (row: ImageRow, name: RenditionName, { request, reply, headers, payer }: Sending) => {
    if (!hasRendition(row, name)) throw noImageAtLink();
    const rendition = await find(row, name, payer);
    reply.headers(headers);
    return 'bytes' in rendition ? sendWhole(rendition, request, reply) : sendStored(rendition, request, reply);
  };
}
