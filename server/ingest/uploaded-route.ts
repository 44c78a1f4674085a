/** Looks up upload keys, so that a client need not send bytes again that are stored. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { UploadedIds } from '../contract.ts';
import { InvalidRequest } from '../errors.ts';
import { perAccount } from '../http/limits/rate-limit.ts';
import { withScope } from '../http/scopes.ts';
import { findUploaded } from './insertion-queries.ts';
import { readUploadKeys } from './upload-keys.ts';

export const maxKeys = 100;

export const uploadedRoute: FastifyPluginAsyncTypebox = async (app) => {
  const lookingUp = {
    onRequest: app.guard,
    config: { ...perAccount('uploaded', 600, 60_000), ...withScope('images:upload') },
    schema: {
      operationId: 'findUploaded',
      summary: 'Find images by their upload keys',
      response: { 200: UploadedIds },
    },
  };
  app.get('/uploaded', lookingUp, async (request) => {
    const keys = readUploadKeys(request);
    if (keys.length > maxKeys) throw new InvalidRequest(`Upload-Keys may name at most ${maxKeys} keys here.`);
    const found = await findUploaded(app.db, request.account.id, keys);
    const ids = new Map(found.map(({ uploadKey, id }) => [uploadKey, id]));
    return { ids: keys.map((key) => ids.get(key) ?? null) };
  });
};
