import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../config/config.ts';
import { ExpiringImages } from '../contract.ts';
import { pictureOrigin } from '../http/link-origin.ts';
import { withScope } from '../http/scopes.ts';
import { imageAnswer } from '../images/answer.ts';
import { listExpiring } from './expiring-queries.ts';

const MAX_LISTED = 100;

export const expiringRoute: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const strip = config.stripLocation === 'on';
  const listing = {
    onRequest: app.guard,
    config: withScope('images:read'),
    schema: {
      operationId: 'listExpiringImages',
      summary: 'List the images that expire next',
      response: { 200: ExpiringImages },
    },
  };
  app.get('/expiring', listing, async (request) => {
    const { rows, total } = await request.runFairly((lists) => listExpiring(lists, request.access, MAX_LISTED));
    const origin = pictureOrigin(request, config);
    return { images: rows.map((row) => imageAnswer(row, origin, strip)), total };
  });
};
