/** What the server said, by key, and the calls in flight. Independent of React and of the network. */
import { createCalls, discard } from './calls.ts';
import { below, type Entries, type Entry, entryOf, outdate, read, stop, unwatch, write } from './entries.ts';
import { type Key, NOTHING, type Query, type QueryState } from './query.ts';
import { createSchedule, type Later } from './schedule.ts';
import { share } from './share.ts';

export interface QueryStore {
  readonly read: <T>(key: Key) => QueryState<T>;
  /** The entries below a prefix that have data. */
  readonly entries: <T>(prefix: Key) => readonly (readonly [Key, T])[];
  /** Loads, or joins the call in flight. Never rejects: the state contains the error. */
  readonly fetch: <T>(query: Query<T>) => Promise<QueryState<T>>;
  /** Loads in the background, unless there is fresh data. */
  readonly prefetch: <T>(query: Query<T>) => Promise<T | undefined>;
  /**
   * Loads and calls `listener` on each change, until the returned function is called. The last one to leave aborts the call.
   * @param ahead loads in the background, and only if there is no fresh data
   */
  readonly watch: <T>(query: Query<T>, listener: () => void, ahead?: boolean) => () => void;
  /** Aborts the calls below a prefix. */
  readonly cancel: (prefix: Key) => void;
  /** Sets a value that is newer than every call in flight. */
  readonly setData: <T>(key: Key, data: T) => void;
  /** Marks entries as out of date and loads the watched ones again, `within` ms: several invalidations become one call. */
  readonly invalidate: (prefix: Key, within?: number) => void;
  /** Loads the watched entries again, for example after the user has returned to the tab. A failure keeps what they show. */
  readonly refresh: (prefix: Key) => void;
  /**
   * Applies a change to the watched entries and drops the others. Calls in flight are made again: their answers may be older.
   * @param change returns undefined for an entry that must be loaded again
   */
  readonly update: <T>(prefix: Key, change: (data: T) => T | undefined) => void;
  /** Changes the values below a prefix. Calls in flight are made again: their answers may be older. */
  readonly patch: <T>(prefix: Key, change: (data: T) => T) => void;
  readonly clear: () => void;
}

/** @param later runs work after some ms */
export function createQueryStore(later: Later = setTimeout): QueryStore {
  const entries: Entries = new Map();
  const reloadWithin = createSchedule(later, () => {
    for (const entry of below(entries, [])) if (entry.state.stale && !entry.call) reload(entry);
  });
  const { fetch, prefetch, reload } = createCalls(entries, reloadWithin);

  /** Sets data that may be newer than the answer of a call in flight, and makes that call again. */
  function change(entry: Entry, data: unknown): void {
    const isLoading = entry.call !== undefined;
    stop(entries, entry);
    write(entries, entry, { data, stale: isLoading || entry.state.stale });
    if (isLoading) reloadWithin(0);
  }

  return {
    read: (key) => read(entries, key),
    entries: <T>(prefix: Key) =>
      below(entries, prefix).flatMap(({ key, state }) =>
        state.data === undefined ? [] : [[key, state.data as T] as const],
      ),
    fetch,
    prefetch,
    watch(query, listener, ahead = false) {
      const entry = entryOf(entries, query.key);
      const watcher = { query: query as Query<unknown>, listener, ahead };
      // A value that is watched already is kept up to date.
      const isFresh = entry.watchers.size > 0 && entry.state.data !== undefined && !entry.state.stale;
      entry.watchers.add(watcher);
      if (!isFresh) void (ahead ? prefetch(query) : fetch(query));
      return () => unwatch(entries, entry, watcher);
    },
    cancel(prefix) {
      for (const entry of below(entries, prefix)) stop(entries, entry);
    },
    setData(key, data) {
      const entry = entryOf(entries, key);
      stop(entries, entry);
      write(entries, entry, { data: share(entry.state.data, data), error: undefined, stale: false });
    },
    invalidate(prefix, within = 0) {
      for (const entry of below(entries, prefix)) outdate(entries, entry, within);
      reloadWithin(within);
    },
    refresh: (prefix) => below(entries, prefix).forEach(reload),
    update<T>(prefix: Key, changed: (data: T) => T | undefined) {
      for (const entry of below(entries, prefix)) {
        const data = entry.state.data === undefined ? undefined : changed(entry.state.data as T);
        if (data !== undefined && entry.watchers.size > 0) change(entry, data);
        else {
          stop(entries, entry);
          discard(entries, entry, reloadWithin);
        }
      }
    },
    patch<T>(prefix: Key, changed: (data: T) => T) {
      for (const entry of below(entries, prefix)) {
        const data = entry.state.data as T | undefined;
        const next = data === undefined ? undefined : changed(data);
        const isFirstCall = data === undefined && entry.call !== undefined;
        if (next !== data || isFirstCall) change(entry, next);
      }
    },
    clear() {
      for (const entry of below(entries, [])) {
        stop(entries, entry);
        if (entry.watchers.size === 0) entries.delete(entry.id);
        else write(entries, entry, NOTHING);
      }
    },
  };
}
