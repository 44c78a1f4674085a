import type { Session } from '../../server/contract.ts';
import { endOtherSessions, endSession, listSessions } from '../api/account.ts';
import { sessionsKey } from '../query/keys.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query-store.ts';
import { useQuery } from '../query/use-query.ts';

export type Sessions = 'loading' | 'failed' | readonly Session[];

const sessionsQuery: Query<readonly Session[]> = { key: sessionsKey, load: listSessions };

const keep = (stays: (session: Session) => boolean): void => {
  const { data } = queries.read<readonly Session[]>(sessionsKey);
  if (data) queries.setData(sessionsKey, data.filter(stays));
};

/** The account's sessions. `reload` keeps the shown ones meanwhile; `end` and `endOthers` reject if the server refuses. */
export function useSessions() {
  const { data, error, fetching } = useQuery(sessionsQuery);
  const sessions: Sessions = data ?? (error === undefined || fetching ? 'loading' : 'failed');
  return {
    sessions,
    reload: () => void queries.fetch(sessionsQuery),
    async end(id: string): Promise<void> {
      await endSession(id);
      keep((session) => session.id !== id);
    },
    async endOthers(): Promise<number> {
      const ended = await endOtherSessions();
      keep(({ current }) => current);
      return ended;
    },
  };
}
