import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { readAssets } from '../http/page/assets.ts';
import { addViews } from './link-queries.ts';
import { albumPages } from './public-pages.ts';
import { albumRoutes } from './routes.ts';
import { createViewCounter, type ViewCounter } from './view-counter.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Views of albums' public pages, by the keys of their links. */
    albumViews: ViewCounter;
  }
}

export const albums = fp<{ config: Config; clientFolder: string }>(
  async (app, { config, clientFolder }) => {
    const views = createViewCounter({
      add: (linkKey, number) => addViews(app.db, linkKey, number),
      onError: (err) => app.log.warn({ err }, 'views of an album are not counted'),
    });
    app.shutdown.onStop(views.stop);
    app.shutdown.onClose('views of albums', views.flush);
    app.decorate('albumViews', views);
    await app.register(albumRoutes, { prefix: '/api/albums', config });
    await app.register(albumPages, { config, views, assets: readAssets(clientFolder) });
  },
  { name: 'albums', dependencies: ['guard', 'fair-share'] },
);
