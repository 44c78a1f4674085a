import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import type { ClientDatabase } from './connect.ts';
import type { Launched } from './embedded/early-launch.ts';
import type { NotificationParts, Notifications } from './notifications.ts';
import { type OpenDatabase, openDatabase } from './open.ts';
import type { ProcessRegistry } from './process-registry.ts';

/** What a server needs of its database besides `db` (database/open.ts). `runFairly` shares the connections for lists. */
type ServerDatabase = Pick<OpenDatabase, 'lists' | 'reservedForLists' | 'withLongTimeout' | 'isHealthy'> & {
  processRegistry: ProcessRegistry;
  subscribe(parts: NotificationParts): Notifications;
};

declare module 'fastify' {
  interface FastifyInstance {
    db: ClientDatabase;
    database: ServerDatabase;
  }
}

type Options = {
  config: Config;
  /** This process's share of the connections. */
  share: { poolSize: number; listConnections: number };
  /** The embedded Postgres, if it was started before. */
  launched?: Launched | undefined;
};

export const database = fp<Options>(
  async (app, { config, share, launched }) => {
    const { dataDir, databaseUrl, databaseDirectUrl, databasePassword } = config;
    const { listConnections } = share;
    const { db, joinProcesses, listen, close, ...opened } = await openDatabase({
      dataDir,
      databaseUrl,
      databaseDirectUrl,
      databasePassword,
      launched,
      logger: app.log,
      poolSize: share.poolSize - listConnections,
      listConnections,
      beginQuery: app.monitoring.beginQuery,
    });
    app.shutdown.onClose('database', close);
    const processRegistry = await joinProcesses();
    // Hooks run in reverse order: the registry entry ends last, before the database.
    app.shutdown.onClose('process registry', () => processRegistry.close());
    app.decorate('db', db);
    app.decorate('database', {
      ...opened,
      processRegistry,
      subscribe(parts) {
        const notifications = listen(parts);
        app.shutdown.onClose('notifications', () => notifications.close());
        return notifications;
      },
    });
  },
  { name: 'database', dependencies: ['monitoring', 'graceful-shutdown'] },
);
