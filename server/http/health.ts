import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DatabaseUnavailable, DecoderUnavailable, StorageUnavailable } from '../errors.ts';
import { programVersion } from '../lib/version.ts';
import { refuses } from './openapi/refusals.ts';
import { withoutLogin } from './scopes.ts';

const Answer = Type.Object({ status: Type.Literal('ok') });
const ReadyAnswer = Type.Object({ status: Type.Literal('ok'), version: Type.String() });
const schema = { response: { 200: Answer } };
const config = withoutLogin;

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const live = { operationId: 'getLiveness', summary: 'Check that the process answers' };
  app.get('/live', { config, schema: { ...schema, ...live } }, async () => ({ status: 'ok' as const }));

  /** This process only, without database and storage; 503 at overload or shutdown (limits/pressure.ts). */
  const self = { operationId: 'getProcessHealth', summary: 'Check that the process can take calls' };
  app.get('/self', { config, schema: { ...schema, ...self } }, async () => ({ status: 'ok' as const }));

  const ready = { operationId: 'getReadiness', summary: 'Check the database, the storage and the decoders' };
  const readiness = {
    config: { ...config, ...refuses(StorageUnavailable, DecoderUnavailable) },
    schema: { response: { 200: ReadyAnswer }, ...ready },
  };
  const version = programVersion();
  app.get('/ready', readiness, async () => {
    const [database, storage] = await Promise.all([app.database.isHealthy(), app.storage.isHealthy()]);
    if (!database) throw new DatabaseUnavailable();
    if (!storage) throw new StorageUnavailable();
    if (!app.decoderHealth.isWorking()) throw new DecoderUnavailable();
    return { status: 'ok' as const, version };
  });
};
