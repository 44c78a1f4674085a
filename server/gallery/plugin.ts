import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { galleryRoutes } from './routes.ts';

export const gallery = fp<{ config: Config }>(
  async (app, { config }) => {
    await app.register(galleryRoutes, { prefix: '/api/images', config });
  },
  { name: 'gallery', dependencies: ['images', 'guard', 'fair-share'] },
);
