/** The owner's list of waiting images, and what is decided about them. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { sharing } from '../albums/requests.ts';
import type { Config } from '../config/config.ts';
import {
  WaitingDecision as Decision,
  type Scope,
  type WaitingDecision,
  WaitingIds,
  type WaitingImage,
  WaitingPage,
} from '../contract.ts';
import { everythingOf } from '../database/statements/access.ts';
import { ownerHeaders } from '../delivery/picture-headers.ts';
import { refusalsOfBytes } from '../delivery/streaming/send-bytes.ts';
import { AlbumFull, DecoderUnavailable, InvalidRequest, NoSpace, NotFound, RenditionUnavailable } from '../errors.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { readPage } from '../http/page-number.ts';
import { withScope } from '../http/scopes.ts';
import { eachOnce } from '../images/image-ids.ts';
import { noSuchImage } from '../images/refusals.ts';
import { canHaveScreen } from '../images/rendition-names.ts';
import { createPending } from '../lib/pending.ts';
import { createRenditionSender } from '../shares/send-rendition.ts';
import { admitImages, findWaiting, type WaitingRow, waitingPage } from './waiting-queries.ts';

type Options = { config: Config };

const prefix = '/api/collect-links/waiting';

const shownIn =
  (origin: string) =>
  ({ row, linkId, albumId, guest }: WaitingRow): WaitingImage => {
    const at = `${origin}${prefix}/${row.id}`;
    return {
      ...{ id: row.id, collect_link: linkId, album: albumId, guest, filename: row.filename },
      ...{ uploaded_at: row.uploadedAt.toISOString(), width: row.width, height: row.height, size: row.size },
      ...{ content_type: row.contentType, placeholder: row.placeholder },
      thumbnail_url: `${at}/thumbnail.webp`,
      screen_url: `${at}/${canHaveScreen(row) ? 'screen' : 'thumbnail'}.webp`,
    };
  };

/** @throws InvalidRequest */
function idsOf({ body }: { body: { ids: string[] } }): string[] {
  const ids = eachOnce(body.ids);
  if (!ids.every(isUuid)) throw new InvalidRequest('The field "ids" needs the ids of images.');
  return ids;
}

const decisionOf = (ids: string[], decided: string[]): WaitingDecision => ({
  decided: ids.filter((id) => decided.includes(id)),
  unknown: ids.filter((id) => !decided.includes(id)),
});

export const waitingRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const pending = createPending();
  app.shutdown.onClose('cleanup after refusals', () => pending.settled());

  const listing = {
    onRequest: app.guard,
    config: sharing,
    schema: {
      operationId: 'listWaitingImages',
      summary: 'List the images that wait to be admitted',
      querystring: Type.Object({ page: Type.Optional(Type.Unknown()) }),
      response: { 200: WaitingPage },
    },
  };
  app.get('/', listing, async (request) => {
    const page = readPage(request.query.page);
    const size = config.pageSize;
    const { rows, total } = await request.runFairly((lists) => waitingPage(lists, request.access, { page, size }));
    const images = rows.map(shownIn(linkOrigin(request, config.publicUrl)));
    return { images, page, total, totalPages: Math.ceil(total / size) };
  });

  const deciding = (operationId: string, summary: string, scope: Scope) => ({
    onRequest: app.guard,
    config: { ...sharing, ...withScope(scope), ...refuses(AlbumFull) },
    schema: { operationId, summary, body: WaitingIds, response: { 200: Decision } },
  });

  app.post(
    '/admit',
    deciding('admitImages', 'Admit waiting images to their album', 'albums:write'),
    async (request) => {
      const ids = idsOf(request);
      const rows = await request.runFairly(() => admitImages(app.db, request.access, ids));
      for (const { linkKey } of rows) app.images.links.forget(linkKey);
      return decisionOf(
        ids,
        rows.map(({ id }) => id),
      );
    },
  );

  app.post(
    '/refuse',
    deciding('refuseImages', 'Refuse waiting images, which deletes them', 'images:delete'),
    async (request) => {
      const ids = idsOf(request);
      return decisionOf(ids, await pending.add(refuse(request, ids)));
    },
  );

  /** One that is admitted meanwhile stays. @returns the deleted ones */
  async function refuse({ access }: FastifyRequest, ids: string[]): Promise<string[]> {
    const deleted: string[] = [];
    for (const { row } of await findWaiting(app.db, access, ids)) {
      const isDeleted = await app.images.delete(everythingOf(access.ownerId), row.id, { only: 'waiting' });
      if (isDeleted) deleted.push(row.id);
    }
    return deleted;
  }

  await app.register(waitingPictures);
};

/** Their permanent links are closed, so the owner sees them here. */
const waitingPictures: FastifyPluginAsyncTypebox = async (app) => {
  const sendRendition = createRenditionSender(app);
  const refusals = [NotFound, ...refusalsOfBytes, DecoderUnavailable, NoSpace, RenditionUnavailable];
  for (const [name, operationId] of [
    ['thumbnail', 'getWaitingThumbnail'],
    ['screen', 'getWaitingScreen'],
  ] as const) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/:id/${name}.webp`,
      onRequest: app.guard,
      config: { ...withScope('albums:share'), ...refuses(...refusals) },
      schema: {
        operationId,
        summary: `Read the ${name} rendition of a waiting image`,
        params: Type.Object({ id: Type.String() }),
      },
      handler: async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
        const { id } = request.params;
        const [found] = isUuid(id) ? await findWaiting(app.db, request.access, [id]) : [];
        if (!found) throw noSuchImage();
        request.endTurn();
        return sendRendition(found.row, name, { request, reply, headers: ownerHeaders('image/webp') });
      },
    });
  }
};
