import type { Uploader } from '../uploader.ts';

/** The logged-in account, and its changes. */
interface Accounts {
  user(): { readonly id: string } | null;
  subscribe(listener: () => void): unknown;
  onEnd(listener: (how: 'ended' | 'expired') => void): unknown;
}

/**
 * Ties the list to the account that chose its files. A logout deletes the list; an expired session keeps it for its owner's next
 * login, and other accounts do not see it.
 * @param keep keeps an account's list until the signal aborts
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
    // Stop writing first: the previous account's stored list must not be emptied.
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
