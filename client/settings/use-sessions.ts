import { useCallback, useEffect, useState } from 'react';
import type { Session } from '../../server/contract.ts';
import { endOtherSessions, endSession, listSessions } from '../api/account.ts';

export type Sessions = 'loading' | 'failed' | readonly Session[];

/** The account's sessions. `reload` keeps the shown ones meanwhile; `end` and `endOthers` reject if the server refuses. */
export function useSessions() {
  const [sessions, setSessions] = useState<Sessions>('loading');
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts reloads
  useEffect(() => {
    const reading = new AbortController();
    listSessions(reading.signal).then(setSessions, () => {
      if (!reading.signal.aborted) setSessions('failed');
    });
    return () => reading.abort();
  }, [asked]);

  const reload = useCallback(() => {
    setSessions((now) => (now === 'failed' ? 'loading' : now));
    setAsked((times) => times + 1);
  }, []);
  const keep = (stays: (session: Session) => boolean) =>
    setSessions((now) => (typeof now === 'string' ? now : now.filter(stays)));

  return {
    sessions,
    reload,
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
