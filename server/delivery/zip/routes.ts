import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { actorOf, note } from '../../audit/note.ts';
import { InvalidRequest, NotFound } from '../../errors.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { withScope } from '../../http/scopes.ts';
import { findOwnImages } from '../../images/queries.ts';
import type { Delivery } from '../delivery.ts';
import { sendArchive } from './send-archive.ts';
import { createArchiver, originalFile } from './zip.ts';

/** 200 ids fit into a URL of 8 kB, the limit of common proxies. */
const maxImages = 200;

function readIds(sent: unknown): string[] {
  const ids = [...new Set(typeof sent === 'string' ? sent.toLowerCase().split(',') : [])];
  if (ids.length === 0 || !ids.every(isUuid))
    throw new InvalidRequest('Send the ids of the images, separated by commas.');
  if (ids.length > maxImages) throw new InvalidRequest(`An archive can contain at most ${maxImages} images.`);
  return ids;
}

export const archiveRoutes: FastifyPluginAsyncTypebox<{ delivery: Delivery }> = async (app, { delivery }) => {
  const archiveOf = createArchiver();
  app.route({
    method: ['GET', 'HEAD'],
    url: '/archive',
    onRequest: app.guard,
    config: { ...perAccount('archive', 60, 60_000), ...withScope('originals:read'), ...refuses(NotFound) },
    schema: {
      operationId: 'downloadArchive',
      summary: 'Download originals as a ZIP file',
      querystring: Type.Object({ ids: Type.Optional(Type.Unknown()) }),
    },
    handler: async (request, reply) => {
      const ids = readIds(request.query.ids);
      const found = await findOwnImages(app.db, request.access, ids);
      request.endTurn();
      const rows = ids.flatMap((id) => found.find((row) => row.id === id) ?? []);
      if (rows.length === 0) throw new NotFound('There are no such images. They may have been deleted already.');
      const gone = ids.filter((id) => !rows.some((row) => row.id === id));
      const reason = 'There is no such image. It may have been deleted already.';
      const leftOut = gone.map((id) => ({ filename: id, reason }));
      const files = rows.map((row) => originalFile(delivery.originals, row));
      const archive = { filename: 'images.zip', ...(await archiveOf(files, { leftOut })) };
      if (request.method === 'GET')
        await note(app.db, { action: 'export', actor: actorOf(request), details: { images: rows.length } });
      return sendArchive(archive, { app, request, reply });
    },
  });
};
