/** The entries of the query store: what the server said by key, who watches it, and which of it is kept. */
import { idOf, type Key, NOTHING, type Query, type QueryState } from './query.ts';

export interface Call {
  readonly stop: AbortController;
  /** The user did not start it: a failure is not reported. */
  readonly isQuiet: boolean;
  /** Invalidated while in flight: the answer is already out of date, and loaded again within these ms. */
  within: number | undefined;
  done: Promise<void>;
}

export interface Watcher {
  readonly query: Query<unknown>;
  readonly listener: () => void;
  readonly ahead: boolean;
}

export interface Entry {
  readonly key: Key;
  readonly id: string;
  state: QueryState<unknown>;
  call: Call | undefined;
  readonly watchers: Set<Watcher>;
}

/** By id, in the order of the last write. */
export type Entries = Map<string, Entry>;

/** The most entries that are kept without a watcher: twenty pages of a gallery are about 500 images. */
const KEPT = 20;

/** The entries whose key begins with a prefix: every entry, if it is empty. */
export const below = (entries: Entries, prefix: Key): Entry[] =>
  [...entries.values()].filter(({ key }) => prefix.every((part, index) => key[index] === part));

export const read = <T>(entries: Entries, key: Key): QueryState<T> =>
  (entries.get(idOf(key))?.state ?? NOTHING) as QueryState<T>;

/** The entry of a key, added if it is missing. */
export function entryOf(entries: Entries, key: Key): Entry {
  const id = idOf(key);
  const entry = entries.get(id) ?? { key, id, state: NOTHING, call: undefined, watchers: new Set() };
  entries.set(id, entry);
  return entry;
}

function evict(entries: Entries, written: Entry): void {
  const idle = [...entries.values()].filter((entry) => !entry.call && entry.watchers.size === 0 && entry !== written);
  for (const { id } of idle.slice(0, 1 - KEPT)) entries.delete(id);
}

export function write(entries: Entries, entry: Entry, change: Partial<QueryState<unknown>>): void {
  entry.state = { ...entry.state, ...change };
  // The map is ordered by the last write.
  entries.delete(entry.id);
  entries.set(entry.id, entry);
  evict(entries, entry);
  for (const { listener } of [...entry.watchers]) listener();
}

/** Aborts the call of an entry. */
export function stop(entries: Entries, entry: Entry): void {
  const { call } = entry;
  if (!call) return;
  entry.call = undefined;
  call.stop.abort();
  write(entries, entry, { fetching: false });
}

/** Marks an entry as out of date, and its call in flight too. */
export function outdate(entries: Entries, entry: Entry, within: number): void {
  if (entry.call) entry.call.within = Math.min(within, entry.call.within ?? within);
  if (!entry.state.stale) write(entries, entry, { stale: true });
}

/** Removes a watcher. The last one to leave aborts the call. */
export function unwatch(entries: Entries, entry: Entry, watcher: Watcher): void {
  entry.watchers.delete(watcher);
  // React may leave and return at once.
  queueMicrotask(() => {
    if (entry.watchers.size > 0) return;
    stop(entries, entry);
    // A user who returns sees only new failures.
    if (entry.state.error !== undefined) write(entries, entry, { error: undefined });
  });
}
