import fp from 'fastify-plugin';
import { openStorage } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';

declare module 'fastify' {
  interface FastifyInstance {
    storage: Storage;
  }
}

/** `app.storage`: the bytes of the collection. */
export const storage = fp<{ dataDir: string }>(
  async (app, { dataDir }) => {
    const opened = await openStorage({ dataDir, db: app.db, process: app.presence.number, log: app.log });
    app.addHook('onClose', () =>
      opened.close().catch((err) => app.log.warn({ err }, 'staged files stay until the next start')),
    );
    app.decorate('storage', opened);
  },
  { name: 'storage', dependencies: ['database'] },
);
