import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { accountsRoutes } from './api/accounts.ts';
import { auditRoutes } from './api/audit.ts';
import { invitesRoutes } from './api/invites.ts';
import { jobsRoutes } from './api/jobs.ts';
import { overviewRoute } from './api/overview.ts';
import { settingsRoutes } from './api/settings.ts';
import { createJobs } from './jobs/start.ts';

type Options = {
  config: Config;
  /** The path of the administrator's program. */
  program: string;
};

/** What administrators do in the browser. The same is a command each (commands/). */
export const admin = fp<Options>(
  async (app, { config, program }) => {
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', app.guard);
        await scope.register(overviewRoute, { config });
        await scope.register(accountsRoutes, { prefix: '/accounts', config });
        await scope.register(invitesRoutes, { prefix: '/invites', config, outbox: app.accounts.outbox });
        await scope.register(auditRoutes, { prefix: '/audit' });
        await scope.register(settingsRoutes, { prefix: '/settings', config });
        await scope.register(jobsRoutes, { prefix: '/jobs', config, start: createJobs(app, config, program) });
      },
      { prefix: '/api/admin' },
    );
  },
  { name: 'admin', dependencies: ['auth'] },
);
