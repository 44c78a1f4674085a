import type { Uploader } from './uploader.ts';

/** Who is logged in, and when that changes. */
interface Accounts {
  user(): { readonly id: string } | null;
  subscribe(listener: () => void): unknown;
  onEnd(listener: (how: 'ended' | 'expired') => void): unknown;
}

/**
 * The list belongs to whoever chose its files. A logout forgets it; a session that expired does not: its owner logs in again
 * and goes on, anybody else finds nothing.
 * @param keep keeps an account's list until the signal says so
 */
export function followOwner(
  uploader: Pick<Uploader, 'reset'>,
  accounts: Accounts,
  keep: (owner: string, signal: AbortSignal) => Promise<void>,
): void {
  let owner: string | undefined;
  let keeping = new AbortController();
  const follow = (): void => {
    const user = accounts.user()?.id;
    if (user === undefined || user === owner) return;
    // What the one before had listed stays kept for them: nobody writes any more that it is gone.
    keeping.abort();
    if (owner !== undefined) uploader.reset();
    owner = user;
    keeping = new AbortController();
    keep(user, keeping.signal).catch(() => undefined);
  };
  accounts.onEnd((how) => {
    if (how !== 'ended') return;
    uploader.reset();
    keeping.abort();
    owner = undefined;
  });
  accounts.subscribe(follow);
  follow();
}
