/** What is in an album: put in, taken out, put in order. The images themselves stay as they are. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AlbumAddition, AlbumRemoval, AlbumsHolding } from '../contract.ts';
import { addImages, albumsHolding, moveImages, removeImages, usualLimits } from './image-queries.ts';
import { AlbumId, albumIdOf, bodyLimit, changing, eachOnce, ImageId, ImageIds } from './requests.ts';

const Ids = Type.Object({ ids: ImageIds });
const Order = Type.Object({ ids: ImageIds, before: Type.Union([ImageId, Type.Null()]) });

export const albumImageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const usual = { onRequest: app.guard, config: changing, bodyLimit };

  const adding = { ...usual, schema: { params: AlbumId, body: Ids, response: { 200: AlbumAddition } } };
  app.post('/:id/images', adding, async (request) =>
    addImages(app.db, {
      ownerId: request.account.id,
      albumId: albumIdOf(request.params),
      ids: eachOnce(request.body.ids),
      limits: usualLimits,
    }),
  );

  const removing = { ...usual, schema: { params: AlbumId, body: Ids, response: { 200: AlbumRemoval } } };
  app.delete('/:id/images', removing, async (request) => ({
    removed: await removeImages(app.db, request.account.id, albumIdOf(request.params), eachOnce(request.body.ids)),
  }));

  const ordering = { ...usual, schema: { params: AlbumId, body: Order, response: { 204: Type.Null() } } };
  app.patch('/:id/images', ordering, async (request, reply) => {
    const { ids, before } = request.body;
    await moveImages(app.db, {
      ownerId: request.account.id,
      albumId: albumIdOf(request.params),
      ids: eachOnce(ids),
      before: before?.toLowerCase() ?? null,
    });
    return reply.code(204).send(null);
  });

  // Asks as many ids as a selection may have: too many for an address.
  const asking = { onRequest: app.guard, bodyLimit, schema: { body: Ids, response: { 200: AlbumsHolding } } };
  app.post('/holding', asking, async (request) => ({
    albums: await albumsHolding(app.db, request.account.id, eachOnce(request.body.ids)),
  }));
};
