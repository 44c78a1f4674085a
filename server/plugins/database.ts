import fp from 'fastify-plugin';
import type { Database } from '../database/connect.ts';
import { type DatabaseOptions, openDatabase } from '../database/open.ts';

declare module 'fastify' {
  interface FastifyInstance {
    db: Database;
    /** Whether the database answers within a second. */
    databaseAnswers(): Promise<boolean>;
  }
}

export const database = fp<DatabaseOptions>(
  async (app, options) => {
    const { db, answers, close } = await openDatabase(options);
    app.decorate('db', db);
    app.decorate('databaseAnswers', answers);
    app.addHook('onClose', close);
  },
  { name: 'database' },
);
