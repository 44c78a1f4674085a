import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { NotFound } from '../errors.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { withScope } from '../http/scopes.ts';
import { findOwnImage } from '../images/queries.ts';
import { noSuchImage } from '../images/refusals.ts';
import type { Delivery } from './delivery.ts';
import { disposition, setPrivateHeaders } from './picture-headers.ts';
import { refusalsOfBytes, sendStored } from './streaming/send-bytes.ts';

export const originalRoute: FastifyPluginAsyncTypebox<{ delivery: Delivery }> = async (app, { delivery }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/original',
    onRequest: app.guard,
    config: { ...withScope('originals:read'), ...refuses(NotFound, ...refusalsOfBytes) },
    schema: {
      operationId: 'downloadOriginal',
      summary: 'Download an original exactly as uploaded',
      params: Type.Object({ id: Type.String() }),
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const row = isUuid(id) ? await findOwnImage(app.db, request.access, id) : undefined;
      if (!row) throw noSuchImage();
      request.endTurn();
      setPrivateHeaders(reply, row.contentType);
      reply.header('content-disposition', disposition(row, 'attachment'));
      const open = delivery.originals.open.bind(undefined, row);
      return sendStored({ size: row.size, etag: `"${row.sha256}"`, open }, request, reply);
    },
  });
};
