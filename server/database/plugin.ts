import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import type { ClientDatabase } from './connect.ts';
import type { Launched } from './embedded/early-launch.ts';
import type { NotificationParts, Notifications } from './notifications.ts';
import { type OpenDatabase, openDatabase } from './open.ts';
import type { ProcessRegistry } from './process-registry.ts';

declare module 'fastify' {
  interface FastifyInstance {
    db: ClientDatabase;
    /** The connections for lists (database/open.ts); `runFairly` shares them (http/limits/fair-share.ts). */
    lists: Pick<OpenDatabase, 'lists' | 'reservedForLists'>;
    /** For statements that may take minutes (database/open.ts). */
    withLongTimeout: OpenDatabase['withLongTimeout'];
    isDatabaseHealthy(): Promise<boolean>;
    presence: ProcessRegistry;
    subscribe(parts: NotificationParts): Notifications;
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
  async (app, { config: { dataDir, databaseUrl, databaseDirectUrl }, share, launched }) => {
    const { listConnections } = share;
    const { db, lists, reservedForLists, withLongTimeout, answers, joinProcesses, listen, close } = await openDatabase({
      dataDir,
      databaseUrl,
      databaseDirectUrl,
      launched,
      logger: app.log,
      poolSize: share.poolSize - listConnections,
      listConnections,
      beginQuery: app.monitoring.beginQuery,
    });
    app.onEnd('database', close);
    const presence = await joinProcesses();
    // Hooks run in reverse order: the registry entry ends last, before the database.
    app.onEnd('presence', () => presence.close());
    app.decorate('db', db);
    app.decorate('lists', { lists, reservedForLists });
    app.decorate('withLongTimeout', withLongTimeout);
    app.decorate('isDatabaseHealthy', answers);
    app.decorate('presence', presence);
    app.decorate('subscribe', (parts: NotificationParts) => {
      const notices = listen(parts);
      app.onEnd('notices', () => notices.close());
      return notices;
    });
  },
  { name: 'database', dependencies: ['monitoring', 'graceful-shutdown'] },
);
