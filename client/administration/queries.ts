/** What the administrator's page shows, in the query store. */
import type { AdminAccountPage, AdminJob, AdminOverview, AuditPage, Invite, Setting } from '../../server/contract.ts';
import {
  type AccountFilter,
  type AuditFilter,
  listAccounts,
  listAudit,
  listInvites,
  listSettings,
  readOverview,
} from '../api/administration.ts';
import { invalidate, queries } from '../query/queries.ts';
import type { Key, Query } from '../query/query.ts';

const adminKey: Key = ['administration'];

const overviewKey: Key = [...adminKey, 'overview'];
/** ms between two looks at a run in progress */
const PAUSE = 2000;

const isRunning = (job: AdminJob | null): boolean => job?.state === 'waiting' || job?.state === 'running';

export const overviewQuery: Query<AdminOverview> = {
  key: overviewKey,
  async load(signal, background) {
    const state = await readOverview(signal, background);
    if (isRunning(state.last_doctor) || isRunning(state.last_backup))
      setTimeout(() => queries.refresh(overviewKey), PAUSE);
    return state;
  },
};

export const accountsQuery = (filter: AccountFilter): Query<AdminAccountPage> => ({
  key: [...adminKey, 'accounts', filter.state, filter.search, filter.page],
  load: (signal) => listAccounts(filter, signal),
});

export const invitesQuery: Query<Invite[]> = { key: [...adminKey, 'invites'], load: listInvites };

export const auditQuery = (filter: AuditFilter, before: string | undefined): Query<AuditPage> => ({
  key: [...adminKey, 'audit', JSON.stringify(filter), before ?? ''],
  load: (signal) => listAudit(filter, before, signal),
});

export const settingsQuery: Query<Setting[]> = { key: [...adminKey, 'settings'], load: listSettings };

/** After a change: every part of the page may show something else. */
export const reload = (): void => invalidate(adminKey);
