import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../../config/config.ts';
import { SettingList } from '../../contract.ts';
import { forAdmins } from '../../http/scopes.ts';
import { settingsOf } from '../settings.ts';

export const settingsRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const reading = {
    config: forAdmins,
    schema: { operationId: 'listSettings', summary: 'Read the settings of the server', response: { 200: SettingList } },
  };
  app.get('/', reading, async () => ({ settings: settingsOf(config, process.env) }));
};
