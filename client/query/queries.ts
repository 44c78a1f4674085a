/** The page's query store: emptied when the account changes, and kept in step with the other tabs. */
import { session } from '../session/session.ts';
import { albumsKey, imagesKey } from './keys.ts';
import type { Key } from './query.ts';
import { createQueryStore } from './query-store.ts';

export const queries = createQueryStore();

let owner = session.user()?.id;
session.subscribe(() => {
  const user = session.user()?.id;
  if (user === owner) return;
  owner = user;
  queries.clear();
});

interface Change {
  readonly owner: string | undefined;
  readonly prefix: Key;
  readonly within: number;
}

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('changes') : undefined;
channel?.addEventListener('message', ({ data }: MessageEvent<Change>) => {
  if (data.owner === owner) queries.invalidate(data.prefix, data.within);
});

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  queries.refresh(imagesKey);
  queries.refresh(albumsKey);
});

/** Invalidates a prefix in the account's other tabs. */
export function announce(prefix: Key, within = 0): void {
  channel?.postMessage({ owner, prefix, within } satisfies Change);
}

/**
 * Applies what a call of the account changed to its entries, and invalidates them in the other tabs. Does nothing if another
 * account has logged in meanwhile, or none.
 * @param change returns the value after the call
 */
export async function changing<T, Answer>(
  prefix: Key,
  call: () => Promise<Answer>,
  change: (data: T, answer: Answer) => T,
): Promise<Answer> {
  const caller = owner;
  const answer = await call();
  if (caller !== owner) return answer;
  queries.patch<T>(prefix, (data) => change(data, answer));
  announce(prefix);
  return answer;
}

/** The same for a call whose answer contains the whole value of a key. */
export async function replacing<T, Answer>(
  key: Key,
  call: () => Promise<Answer>,
  read: (answer: Answer) => T,
): Promise<Answer> {
  const caller = owner;
  const answer = await call();
  if (caller !== owner) return answer;
  queries.setData(key, read(answer));
  announce(key);
  return answer;
}

/** Invalidates a prefix after a change on the server, in all tabs. `within`: see `QueryStore.invalidate`. */
export function invalidate(prefix: Key, within = 0): void {
  queries.invalidate(prefix, within);
  announce(prefix, within);
}
