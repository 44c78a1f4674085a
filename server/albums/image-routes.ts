/** Adds, removes and orders images of an album. The images themselves do not change. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AlbumAddition, AlbumRemoval, AlbumsHolding } from '../contract.ts';
import { AlbumFull } from '../errors.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { eachOnce, ImageId } from '../images/image-ids.ts';
import { addImages, albumsHolding, defaultLimits, moveImages, removeImages } from './image-queries.ts';
import { AlbumId, albumIdOf, bodyLimit, changing, ImageIds, looking, ofAlbum } from './requests.ts';

const Ids = Type.Object({ ids: ImageIds });
const Order = Type.Object({ ids: ImageIds, before: Type.Union([ImageId, Type.Null()]) });

export const albumImageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const changingImages = { onRequest: app.guard, config: { ...changing, ...ofAlbum }, bodyLimit };

  const adding = {
    ...changingImages,
    config: { ...changing, ...refuses(...ofAlbum.refusals, AlbumFull) },
    schema: {
      operationId: 'addToAlbum',
      summary: 'Add images to an album',
      params: AlbumId,
      body: Ids,
      response: { 200: AlbumAddition },
    },
  };
  app.post('/:id/images', adding, async (request) => {
    const { access: reach, body } = request;
    const addition = { reach, albumId: albumIdOf(request), ids: eachOnce(body.ids), limits: defaultLimits };
    return request.runFairly(() => addImages(app.db, addition));
  });

  const removing = {
    ...changingImages,
    schema: {
      operationId: 'removeFromAlbum',
      summary: 'Remove images from an album',
      params: AlbumId,
      body: Ids,
      response: { 200: AlbumRemoval },
    },
  };
  app.delete('/:id/images', removing, async (request) => {
    const { account, body } = request;
    const [albumId, ids] = [albumIdOf(request), eachOnce(body.ids)];
    return { removed: await request.runFairly(() => removeImages(app.db, account.id, albumId, ids)) };
  });

  const ordering = {
    ...changingImages,
    schema: {
      operationId: 'orderAlbum',
      summary: 'Move images within an album',
      params: AlbumId,
      body: Order,
      response: { 204: Type.Null() },
    },
  };
  app.patch('/:id/images', ordering, async (request, reply) => {
    const { account, body } = request;
    const move = {
      ownerId: account.id,
      albumId: albumIdOf(request),
      ids: eachOnce(body.ids),
      before: body.before?.toLowerCase() ?? null,
    };
    await request.runFairly(() => moveImages(app.db, move));
    return reply.code(204).send(null);
  });

  // A POST, because a selection may have too many ids for a URL.
  const asking = {
    onRequest: app.guard,
    config: looking,
    bodyLimit,
    schema: {
      operationId: 'findAlbumsOfImages',
      summary: 'Find the albums that contain images',
      body: Ids,
      response: { 200: AlbumsHolding },
    },
  };
  app.post('/holding', asking, async (request) => ({
    albums: await request.runFairly((lists) => albumsHolding(lists, request.access, eachOnce(request.body.ids))),
  }));
};
