import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../../config/config.ts';
import { AdminOverview } from '../../contract.ts';
import { forAdmins } from '../../http/scopes.ts';
import { overviewOf } from '../overview.ts';

export const overviewRoute: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const reading = {
    config: forAdmins,
    schema: { operationId: 'readOverview', summary: 'Read the state of the server', response: { 200: AdminOverview } },
  };
  app.get('/overview', reading, async () => ({
    ...(await overviewOf(app.db, config)),
    can_decode: app.decoderHealth.isWorking(),
  }));
};
