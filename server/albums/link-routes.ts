import { randomBytes } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import { AlbumLink } from '../contract.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { albumPath } from './answer.ts';
import { endLink, keepLink } from './queries.ts';
import { noSuchAlbum } from './refusals.ts';
import { AlbumId, albumIdOf, ofAlbum, sharing } from './requests.ts';

/** 128 random bits, base64url. */
const newLinkKey = () => randomBytes(16).toString('base64url');

export const albumLinkRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  ignoreBodies(app);

  const opening = {
    onRequest: app.guard,
    config: { ...sharing, ...ofAlbum },
    schema: {
      operationId: 'openAlbumLink',
      summary: "Turn an album's public page on",
      params: AlbumId,
      response: { 200: AlbumLink },
    },
  };
  app.post('/:id/link', opening, async (request) => {
    const key = await keepLink(app.db, request.account.id, albumIdOf(request), newLinkKey());
    return { url: linkOrigin(request, config.publicUrl) + albumPath(key) };
  });

  const closing = {
    onRequest: app.guard,
    config: { ...sharing, ...ofAlbum },
    schema: {
      operationId: 'closeAlbumLink',
      summary: "Turn an album's public page off",
      params: AlbumId,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/:id/link', closing, async (request, reply) => {
    if (!(await endLink(app.db, request.account.id, albumIdOf(request)))) throw noSuchAlbum();
    return reply.code(204).send(null);
  });
};
