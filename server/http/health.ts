import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DatabaseUnavailable, StorageUnavailable } from '../errors.ts';

const Answer = Type.Object({ status: Type.Literal('ok') });
const schema = { response: { 200: Answer } };

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/live', { schema }, async () => ({ status: 'ok' as const }));

  /** Of this process alone: refused past its limits and at a stop as any call is (http/limits/pressure.ts), whatever the engines do. */
  app.get('/self', { schema }, async () => ({ status: 'ok' as const }));

  app.get('/ready', { schema }, async () => {
    const [database, storage] = await Promise.all([app.isDatabaseHealthy(), app.storage.isHealthy()]);
    if (!database) throw new DatabaseUnavailable();
    if (!storage) throw new StorageUnavailable();
    return { status: 'ok' as const };
  });
};
