import { randomBytes } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf, note } from '../audit/note.ts';
import type { Config } from '../config/config.ts';
import { AlbumLink } from '../contract.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { albumPath } from './answer.ts';
import { closePage, openPage } from './link-queries.ts';
import { mustHave } from './queries.ts';
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
    const fresh = newLinkKey();
    const id = albumIdOf(request);
    const linkKey = await app.db.transaction(async (tx) => {
      const page = await openPage(tx, request.access, id, fresh);
      const details = { share: page.name, album: id };
      if (page.linkKey === fresh) await note(tx, { action: 'share.created', actor: actorOf(request), details });
      return page.linkKey;
    });
    return { url: linkOrigin(request, config.publicUrl) + albumPath(linkKey) };
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
    const id = albumIdOf(request);
    await app.db.transaction(async (tx) => {
      const share = await closePage(tx, request.access, id);
      if (share === undefined) await mustHave(tx, request.account.id, id);
      else await note(tx, { action: 'share.ended', actor: actorOf(request), details: { share, album: id } });
    });
    return reply.code(204).send(null);
  });
};
