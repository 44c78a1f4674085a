import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { readAssets } from '../http/page/assets.ts';
import { deleteLinkRoutes } from './routes.ts';

export const deleteLinks = fp<{ config: Config; clientFolder: string }>(
  async (app, { config, clientFolder }) => {
    await app.register(deleteLinkRoutes, { config, assets: readAssets(clientFolder) });
  },
  { name: 'delete-links', dependencies: ['images', 'limits'] },
);
