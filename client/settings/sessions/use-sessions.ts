import type { Session } from '../../../server/contract.ts';
import { endOtherSessions, endSession, listSessions } from '../../api/account/account.ts';
import { sessionsKey } from '../../query/keys.ts';
import { changing, queries } from '../../query/queries.ts';
import type { Query } from '../../query/query.ts';
import { useQuery } from '../../query/use-query.ts';

export type Sessions = 'loading' | 'failed' | readonly Session[];

const sessionsQuery: Query<readonly Session[]> = { key: sessionsKey, load: listSessions };

/** Runs a call that ends sessions, and shows only those that stay. */
const ending = <Answer>(call: () => Promise<Answer>, stays: (session: Session) => boolean): Promise<Answer> =>
  changing<readonly Session[], Answer>(sessionsKey, call, (list) => list.filter(stays));

/** The account's sessions. `reload` keeps the shown ones meanwhile; `end` and `endOthers` reject if the server refuses. */
export function useSessions() {
  const { data, error, fetching } = useQuery(sessionsQuery);
  const sessions: Sessions = data ?? (error === undefined ? 'loading' : 'failed');
  return {
    sessions,
    busy: fetching,
    reload: () => void queries.fetch(sessionsQuery),
    end: (id: string): Promise<void> =>
      ending(
        () => endSession(id),
        (session) => session.id !== id,
      ),
    endOthers: (): Promise<number> => ending(endOtherSessions, ({ current }) => current),
  };
}
