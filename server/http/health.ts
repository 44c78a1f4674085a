import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DatabaseUnavailable, StorageUnavailable } from '../errors.ts';
import { refuses } from './openapi/refusals.ts';
import { withoutLogin } from './scopes.ts';

const Answer = Type.Object({ status: Type.Literal('ok') });
const schema = { response: { 200: Answer } };
const config = withoutLogin;

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const live = { operationId: 'getLiveness', summary: 'Check that the process answers' };
  app.get('/live', { config, schema: { ...schema, ...live } }, async () => ({ status: 'ok' as const }));

  /** This process only, without database and storage; 503 at overload or shutdown (limits/pressure.ts). */
  const self = { operationId: 'getProcessHealth', summary: 'Check that the process can take calls' };
  app.get('/self', { config, schema: { ...schema, ...self } }, async () => ({ status: 'ok' as const }));

  const ready = { operationId: 'getReadiness', summary: 'Check the database and the storage' };
  const readiness = {
    config: { ...config, ...refuses(StorageUnavailable) },
    schema: { ...schema, ...ready },
  };
  app.get('/ready', readiness, async () => {
    const [database, storage] = await Promise.all([app.database.isHealthy(), app.storage.isHealthy()]);
    if (!database) throw new DatabaseUnavailable();
    if (!storage) throw new StorageUnavailable();
    return { status: 'ok' as const };
  });
};
