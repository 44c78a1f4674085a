/** What a share shows, for its owner: lists its images, and adds images to a selection or removes them. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { imagesInOrder } from '../albums/answer.ts';
import { bodyLimit, ImageIds, sharing } from '../albums/requests.ts';
import { actorOf, note } from '../audit/note.ts';
import type { Config } from '../config/config.ts';
import { ShareAnswer, SharePage } from '../contract.ts';
import type { Transaction } from '../database/connect.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import { InvalidRequest, NotFound, TooManyShares } from '../errors.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { readPage } from '../http/page-number.ts';
import { eachOnce } from '../images/image-ids.ts';
import { answerOf, noSuchShare } from './options.ts';
import { contentsOfShare, pageOfShare } from './public-queries.ts';
import { addImages, defaultLimits, type ListedShare, type Own, readShare, removeImages } from './queries.ts';

const ShareId = Type.Object({ id: Type.String() });
const Ids = Type.Object({ ids: ImageIds });

/** @throws NotFound */
function ownOf({ access, params }: FastifyRequest): Own {
  const id = (params as { id: string }).id.toLowerCase();
  if (!isUuid(id)) throw noSuchShare();
  return { reach: access, id };
}

/** Resolves with whether the share shows others now. */
type Work = (tx: Transaction, share: Own, ids: string[]) => Promise<boolean>;

export const shareImageRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const { pageSize, publicUrl } = config;
  const listing = {
    onRequest: app.guard,
    config: { ...sharing, ...refuses(NotFound) },
    schema: {
      operationId: 'listShareImages',
      summary: 'List the images of a share',
      params: ShareId,
      querystring: Type.Object({ page: Type.Optional(Type.Unknown()) }),
      response: { 200: SharePage },
    },
  };
  app.get('/:id/images', listing, async (request) => {
    const page = readPage(request.query.page);
    const own = ownOf(request);
    return request.runFairly(async (lists) => {
      const share = await readShare(lists, own);
      if (!share) throw noSuchShare();
      const { count: total } = await contentsOfShare(lists, share);
      const ids = await pageOfShare(lists, share, total, { page, size: pageSize });
      const images = await imagesInOrder(config, lists, share.ownerId, ids, linkOrigin(request, publicUrl));
      return { images, page, total, totalPages: Math.ceil(total / pageSize) };
    });
  });

  /** Changes a selection. @throws NotFound, InvalidRequest for a share of an album */
  async function change(request: FastifyRequest, ids: string[], work: Work): Promise<ListedShare> {
    const own = ownOf(request);
    const changed = await request.runFairly(() =>
      underOwnerLock(app.db, request.account.id, async (tx) => {
        const share = await readShare(tx, own);
        if (!share) throw noSuchShare();
        if (share.albumId !== null)
          throw new InvalidRequest('This share shows an album. Add images to the album, or remove them from it.');
        const entry = { action: 'share.changed', actor: actorOf(request), details: { share: share.name } } as const;
        if (await work(tx, own, ids)) await note(tx, entry);
        return readShare(tx, own);
      }),
    );
    if (!changed) throw noSuchShare();
    return changed;
  }

  const routes = [
    {
      method: 'POST',
      operationId: 'addToShare',
      summary: 'Add images to a share of a selection',
      refusals: [NotFound, TooManyShares],
      work: (tx, share, ids) => addImages(tx, { share, ids, limits: defaultLimits }),
    },
    {
      method: 'DELETE',
      operationId: 'removeFromShare',
      summary: 'Remove images from a share of a selection',
      refusals: [NotFound],
      work: removeImages,
    },
  ] satisfies { method: string; operationId: string; summary: string; refusals: unknown[]; work: Work }[];
  for (const { method, operationId, summary, refusals, work } of routes) {
    app.route({
      method,
      url: '/:id/images',
      onRequest: app.guard,
      config: { ...sharing, ...refuses(...refusals) },
      bodyLimit,
      schema: { operationId, summary, params: ShareId, body: Ids, response: { 200: ShareAnswer } },
      handler: async (request) => {
        const share = await change(request, eachOnce(request.body.ids), work);
        return { share: answerOf(share, linkOrigin(request, publicUrl)) };
      },
    });
  }
};
