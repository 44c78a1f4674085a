import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { readAssets } from '../http/page/assets.ts';
import { albumPages } from './public-pages.ts';
import { albumRoutes } from './routes.ts';

export const albums = fp<{ config: Config; clientFolder: string }>(
  async (app, { config, clientFolder }) => {
    await app.register(albumRoutes, { prefix: '/api/albums', config });
    await app.register(albumPages, { config, assets: readAssets(clientFolder) });
  },
  { name: 'albums', dependencies: ['guard', 'fair-share'] },
);
