import fp from 'fastify-plugin';
import type { ClientDatabase } from './connect.ts';
import type { NotificationParts, Notifications } from './notifications.ts';
import { type DatabaseOptions, type OpenDatabase, openDatabase } from './open.ts';
import type { ProcessRegistry } from './process-registry.ts';

declare module 'fastify' {
  interface FastifyInstance {
    db: ClientDatabase;
    /** The connections for lists (database/open.ts); `runFairly` shares them (http/limits/fair-share.ts). */
    lists: Pick<OpenDatabase, 'lists' | 'reservedForLists'>;
    /** For statements that may take minutes (database/open.ts). */
    databasePatiently: OpenDatabase['patiently'];
    isDatabaseHealthy(): Promise<boolean>;
    presence: ProcessRegistry;
    subscribe(parts: NotificationParts): Notifications;
  }
}

export const database = fp<DatabaseOptions>(
  async (app, options) => {
    const { db, lists, reservedForLists, patiently, answers, joinProcesses, listen, close } =
      await openDatabase(options);
    app.onEnd('database', close);
    const presence = await joinProcesses();
    // Hooks run in reverse order: the registry entry ends last, before the database.
    app.onEnd('presence', () => presence.close());
    app.decorate('db', db);
    app.decorate('lists', { lists, reservedForLists });
    app.decorate('databasePatiently', patiently);
    app.decorate('isDatabaseHealthy', answers);
    app.decorate('presence', presence);
    app.decorate('subscribe', (parts: NotificationParts) => {
      const notices = listen(parts);
      app.onEnd('notices', () => notices.close());
      return notices;
    });
  },
  { name: 'database', dependencies: ['graceful-shutdown'] },
);
