import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { albumPages } from './public-pages.ts';
import { albumRoutes } from './routes.ts';

export const albums = fp<{ config: Config }>(
  async (app, { config }) => {
    await app.register(albumRoutes, { prefix: '/api/albums', config });
    await app.register(albumPages, { config });
  },
  { name: 'albums', dependencies: ['guard', 'fair-share'] },
);
