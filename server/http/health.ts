import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DatabaseUnavailable, StorageUnavailable } from '../errors.ts';

const Answer = Type.Object({ status: Type.Literal('ok') });
const schema = { response: { 200: Answer } };

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/live', { schema }, async () => ({ status: 'ok' as const }));

  /** This process only, whatever the state of database and storage; refused at overload or shutdown like any call (http/limits/pressure.ts). */
  app.get('/self', { schema }, async () => ({ status: 'ok' as const }));

  app.get('/ready', { schema }, async () => {
    const [database, storage] = await Promise.all([app.isDatabaseHealthy(), app.storage.isHealthy()]);
    if (!database) throw new DatabaseUnavailable();
    if (!storage) throw new StorageUnavailable();
    return { status: 'ok' as const };
  });
};
