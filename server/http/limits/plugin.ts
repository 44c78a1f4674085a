import fp from 'fastify-plugin';
import { fairShare } from './fair-share.ts';
import { rateLimit } from './rate-limit.ts';

type Options = {
  /** RATE_LIMIT */
  rateLimited: boolean;
  /** Database connections of this process for lists. */
  listConnections: number;
};

export const limits = fp<Options>(
  async (app, { rateLimited, listConnections }) => {
    await app.register(rateLimit, { enabled: rateLimited });
    await app.register(fairShare, {
      shared: { given: app.database.lists, slots: listConnections - 1 },
      reserved: { given: app.database.reservedForLists, slots: 1 },
    });
  },
  { name: 'limits', dependencies: ['database'] },
);
