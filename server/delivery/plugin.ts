import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { readAssets } from '../http/page/assets.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { imageLinks } from './links.ts';
import { originalRoute } from './original-route.ts';
import { type BufferPool, createBufferPool, defaultBuffers } from './streaming/buffer-pool.ts';
import { archiveRoutes } from './zip/routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Buffers of all answers of this process. */
    bufferPool: BufferPool;
    /** Reads stored bytes for answers. */
    delivery: Delivery;
  }
}

type Options = {
  config: Config;
  /** This process's share of the machine. */
  share: { of: (whole: number) => number };
  /** Shared by all servers of this gallery. */
  secret: string;
  clientFolder: string;
};

export const delivery = fp<Options>(
  async (app, { config, share, secret, clientFolder }) => {
    app.decorate('bufferPool', createBufferPool({ ...defaultBuffers, max: share.of(defaultBuffers.max) }));
    const { storage, renditions, log, images } = app;
    const strip = config.stripLocation === 'on';
    const served = createDelivery({ storage, checksums: images.checksums, renditions, log, strip, secret });
    app.decorate('delivery', served);
    app.monitoring.watchCache(images.links.figures);
    await app.register(originalRoute, { prefix: '/api/images', delivery: served });
    await app.register(archiveRoutes, { prefix: '/api/images', delivery: served });
    await app.register(imageLinks, {
      delivery: served,
      links: images.links,
      redirect: config.linkMode === 'redirect' ? storage.link : undefined,
      shared: config.cdnUrl !== undefined,
      assets: readAssets(clientFolder),
    });
  },
  { name: 'delivery', dependencies: ['images', 'renditions', 'guard'] },
);
