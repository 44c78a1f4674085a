import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DatabaseUnavailable, StorageUnavailable } from '../errors.ts';

const Answer = Type.Object({ status: Type.Literal('ok') });
const schema = { response: { 200: Answer } };

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/live', { schema }, async () => ({ status: 'ok' as const }));

  /** This process only, without database and storage; 503 at overload or shutdown (limits/pressure.ts). */
  app.get('/self', { schema }, async () => ({ status: 'ok' as const }));

  app.get('/ready', { schema }, async () => {
    const [database, storage] = await Promise.all([app.database.isHealthy(), app.storage.isHealthy()]);
    if (!database) throw new DatabaseUnavailable();
    if (!storage) throw new StorageUnavailable();
    return { status: 'ok' as const };
  });
};
