import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { openStorage, type StorageBackends } from './open.ts';
import type { Storage } from './storage.ts';

declare module 'fastify' {
  interface FastifyInstance {
    storage: Storage;
  }
}

type Options = Pick<StorageBackends, 'originalKey'> & { config: Config; watch: (storage: Storage) => Storage };

export const storage = fp<Options>(
  async (app, { config, originalKey, watch }) => {
    const { db, presence, log } = app;
    const opened = await openStorage({ config, db, presence, log, isServer: true, originalKey });
    app.onEnd('storage', () =>
      opened.close().catch((err) => app.log.warn({ err }, 'staged files stay until the next start')),
    );
    app.decorate('storage', watch(opened));
  },
  { name: 'storage', dependencies: ['database'] },
);
