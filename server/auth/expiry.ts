/** Clears away sessions and rate-limit windows that have ended: at the start and once an hour. */
import fp from 'fastify-plugin';
import { dropEndedWindows } from '../rate-limit/queries.ts';
import { deleteEndedSessions } from './queries.ts';

const hour = 3_600_000;

export const expiry = fp(
  async (app) => {
    const clear = async () => {
      try {
        await deleteEndedSessions(app.db);
        await dropEndedWindows(app.db);
      } catch (err) {
        app.log.warn({ err }, 'ended sessions were not cleared; the next hour tries again');
      }
    };
    const timer = setInterval(clear, hour).unref();
    app.addHook('onReady', clear);
    app.addHook('onClose', async () => clearInterval(timer));
  },
  { name: 'expiry', dependencies: ['database'] },
);
