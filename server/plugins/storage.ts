import { join } from 'node:path';
import fp from 'fastify-plugin';
import { openDiskStorage } from '../storage/disk.ts';
import type { Storage } from '../storage/storage.ts';

declare module 'fastify' {
  interface FastifyInstance {
    storage: Storage;
  }
}

type Options = { dataDir: string; alone: boolean };

/** `app.storage`: the bytes of the collection, under `DATA_DIR/files`. */
export const storage = fp<Options>(
  async (app, { dataDir, alone }) => {
    app.decorate('storage', await openDiskStorage(join(dataDir, 'files'), { alone }));
  },
  { name: 'storage' },
);
