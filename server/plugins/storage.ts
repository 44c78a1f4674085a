import { join } from 'node:path';
import fp from 'fastify-plugin';
import { ConfigError } from '../config.ts';
import { openDiskStorage } from '../storage/disk.ts';
import type { Storage } from '../storage/storage.ts';

declare module 'fastify' {
  interface FastifyInstance {
    storage: Storage;
  }
}

type Options = { dataDir: string; alone: boolean };

const hour = 3_600_000;

async function open({ dataDir, alone }: Options): Promise<Storage> {
  const folder = join(dataDir, 'files');
  try {
    return await openDiskStorage(folder, { alone });
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    throw new ConfigError(`DATA_DIR must be a folder the server can write, but "${folder}" is not (${code})`);
  }
}

/** `app.storage`: the bytes of the collection, under `DATA_DIR/files`. */
export const storage = fp<Options>(
  async (app, options) => {
    const opened = await open(options);
    const timer = setInterval(() => {
      opened
        .sweep()
        .catch((err) => app.log.warn({ err }, 'the staging folder was not swept; the next hour tries again'));
    }, hour).unref();
    app.addHook('onClose', async () => clearInterval(timer));
    app.decorate('storage', opened);
  },
  { name: 'storage' },
);
