import { join } from 'node:path';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { openStorage, type StorageBackends } from './open.ts';
import { createReserve, noReserve, type Reserve } from './reserve/reserve.ts';
import type { Storage } from './storage.ts';

declare module 'fastify' {
  interface FastifyInstance {
    storage: Storage;
    /** Space that uploads leave free on the disk of the embedded database. */
    reserve: Reserve;
  }
}

type Options = Pick<StorageBackends, 'originalKey' | 'isFirstWorker'> & { config: Config };

export const storage = fp<Options>(
  async (app, { config, originalKey, isFirstWorker }) => {
    const { db, log } = app;
    const { processRegistry } = app.database;
    const opened = await openStorage({ config, db, processRegistry, log, isServer: true, isFirstWorker, originalKey });
    app.shutdown.onClose('storage', () =>
      opened.close().catch((err) => app.log.warn({ err }, 'staged files stay until the next start')),
    );
    app.decorate('storage', app.monitoring.watchStorage(opened));
    app.decorate('reserve', config.databaseUrl ? noReserve : createReserve(join(config.dataDir, 'postgres')));
  },
  { name: 'storage', dependencies: ['monitoring', 'database'] },
);
