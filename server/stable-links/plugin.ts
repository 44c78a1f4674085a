import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { readAssets } from '../http/page/assets.ts';
import { stableLinkRedirect } from './redirect.ts';
import { stableLinkRoutes } from './routes.ts';

export const stableLinks = fp<{ config: Config; clientFolder: string }>(
  async (app, { config, clientFolder }) => {
    await app.register(stableLinkRoutes, { prefix: '/api/stable-links', config });
    await app.register(stableLinkRedirect, { config, assets: readAssets(clientFolder) });
  },
  { name: 'stable-links', dependencies: ['guard', 'fair-share', 'delivery'] },
);
