/** What the server said, by key, and the calls in flight. Independent of React and of the network. */
import { idOf, type Key, NOTHING, type Query, type QueryState } from './query.ts';
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

interface Call {
  readonly stop: AbortController;
  /** The user did not start it: a failure is not reported. */
  readonly isQuiet: boolean;
  /** Invalidated while in flight: the answer is already out of date, and loaded again within these ms. */
  within: number | undefined;
  done: Promise<void>;
}

interface Watcher {
  readonly query: Query<unknown>;
  readonly listener: () => void;
  readonly ahead: boolean;
}

interface Entry {
  readonly key: Key;
  readonly id: string;
  state: QueryState<unknown>;
  call: Call | undefined;
  readonly watchers: Set<Watcher>;
}

/** The most entries that are kept without a watcher: twenty pages of a gallery are about 500 images. */
const KEPT = 20;

/** Whether a key is a prefix or below it. */
function isBelow(key: Key, prefix: Key): boolean {
  return prefix.every((part, index) => key[index] === part);
}

type Later = (work: () => void, ms: number) => unknown;

/** @param later runs work after some ms */
export function createQueryStore(later: Later = setTimeout): QueryStore {
  const entries = new Map<string, Entry>();
  /** The time in ms from now within which the scheduled reload runs; undefined if none is scheduled. */
  let scheduled: number | undefined;
  let round = 0;

  const below = (prefix: Key): Entry[] => [...entries.values()].filter(({ key }) => isBelow(key, prefix));

  function entryOf(key: Key): Entry {
    const id = idOf(key);
    const entry = entries.get(id) ?? { key, id, state: NOTHING, call: undefined, watchers: new Set() };
    entries.set(id, entry);
    return entry;
  }

  function evict(written: Entry): void {
    const idle = [...entries.values()].filter((entry) => !entry.call && entry.watchers.size === 0 && entry !== written);
    for (const { id } of idle.slice(0, Math.max(0, idle.length - KEPT + 1))) entries.delete(id);
  }

  function write(entry: Entry, change: Partial<QueryState<unknown>>): void {
    entry.state = { ...entry.state, ...change };
    // The map is ordered by the last write.
    entries.delete(entry.id);
    entries.set(entry.id, entry);
    evict(entry);
    for (const { listener } of [...entry.watchers]) listener();
  }

  function stop(entry: Entry): void {
    const { call } = entry;
    if (!call) return;
    entry.call = undefined;
    call.stop.abort();
    write(entry, { fetching: false });
  }

  /** Drops an entry that nobody watches, and loads a watched one again. */
  function discard(entry: Entry): void {
    if (entry.watchers.size > 0) {
      outdate(entry, 0);
      reloadWithin(0);
    } else {
      stop(entry);
      entries.delete(entry.id);
    }
  }

  function outdate(entry: Entry, within: number): void {
    if (entry.call) entry.call.within = Math.min(within, entry.call.within ?? within);
    if (!entry.state.stale) write(entry, { stale: true });
  }

  function change(entry: Entry, data: unknown): void {
    const isLoading = entry.call !== undefined;
    stop(entry);
    write(entry, { data, stale: isLoading || entry.state.stale });
    if (isLoading) reloadWithin(0);
  }

  function outdateSiblings<T>(entry: Entry, { siblings, outdates }: Query<T>, before: T | undefined, answer: T): void {
    if (!siblings || !outdates) return;
    const hasChanged = before !== undefined && outdates(answer, before);
    for (const other of below(siblings)) {
      const data = other.state.data as T | undefined;
      if (other !== entry && (hasChanged || (data !== undefined && outdates(answer, data)))) discard(other);
    }
  }

  async function run<T>(entry: Entry, query: Query<T>, call: Call, background: boolean): Promise<void> {
    // Aborted calls are no longer the entry's: their answers are ignored.
    const isOver = () => entry.call !== call;
    try {
      const answer = await query.load(call.stop.signal, background);
      if (isOver()) return;
      entry.call = undefined;
      const { stale } = entry.state;
      const before = entry.state.data as T | undefined;
      const data = share(before, answer);
      write(entry, { data, error: undefined, fetching: false, stale: call.within !== undefined });
      // What outdated this entry has outdated its siblings too.
      outdateSiblings(entry, query, stale ? undefined : before, data);
    } catch (error) {
      if (isOver()) return;
      entry.call = undefined;
      const isShown = !call.isQuiet || query.isGone?.(error);
      write(entry, isShown ? { error, fetching: false } : { fetching: false });
      if (!call.isQuiet) query.onError?.(error);
    }
    if (call.within !== undefined) reloadWithin(call.within);
  }

  function start<T>(query: Query<T>, isQuiet: boolean, background = isQuiet): Promise<void> {
    const entry = entryOf(query.key);
    const call: Call = { stop: new AbortController(), isQuiet, within: undefined, done: Promise.resolve() };
    entry.call = call;
    write(entry, { fetching: true });
    call.done = run(entry, query, call, background);
    return call.done;
  }

  const read = <T>(key: Key): QueryState<T> => (entries.get(idOf(key))?.state ?? NOTHING) as QueryState<T>;

  async function fetch<T>(query: Query<T>): Promise<QueryState<T>> {
    const { call } = entryOf(query.key);
    await (call?.done ?? start(query, false));
    // A call that the user did not start failed silently, and this caller needs the data.
    const isMissing = call?.isQuiet && !call.stop.signal.aborted && read(query.key).data === undefined;
    return isMissing ? fetch(query) : read<T>(query.key);
  }

  async function prefetch<T>(query: Query<T>): Promise<T | undefined> {
    const { call, state } = entryOf(query.key);
    if (state.data === undefined || state.stale) await (call?.done ?? start(query, true));
    return read<T>(query.key).data;
  }

  function reload({ watchers, state, call }: Entry): void {
    const [first, ...others] = watchers;
    if (!first) return;
    const eager = [first, ...others].find(({ ahead }) => !ahead);
    if (!eager) void prefetch(first.query);
    else if (state.data === undefined) void fetch(eager.query);
    // A 401 ends the session all the same.
    else if (!call) void start(eager.query, true, false);
  }

  function reloadWithin(ms: number): void {
    if (scheduled !== undefined && scheduled <= ms) return;
    scheduled = ms;
    round += 1;
    const own = round;
    const work = (): void => {
      // An earlier time has been scheduled meanwhile.
      if (own !== round) return;
      scheduled = undefined;
      for (const entry of [...entries.values()]) if (entry.state.stale && !entry.call) reload(entry);
    };
    if (ms === 0) queueMicrotask(work);
    else later(work, ms);
  }

  return {
    read,
    entries: <T>(prefix: Key) =>
      below(prefix).flatMap(({ key, state }) => (state.data === undefined ? [] : [[key, state.data as T] as const])),
    fetch,
    prefetch,
    watch(query, listener, ahead = false) {
      const entry = entryOf(query.key);
      const watcher = { query: query as Query<unknown>, listener, ahead };
      // A value that is watched already is kept up to date.
      const isFresh = entry.watchers.size > 0 && entry.state.data !== undefined && !entry.state.stale;
      entry.watchers.add(watcher);
      if (!isFresh) void (ahead ? prefetch(query) : fetch(query));
      return () => {
        entry.watchers.delete(watcher);
        // React may leave and return at once.
        queueMicrotask(() => {
          if (entry.watchers.size > 0) return;
          stop(entry);
          // A user who returns sees only new failures.
          if (entry.state.error !== undefined) write(entry, { error: undefined });
        });
      };
    },
    cancel: (prefix) => below(prefix).forEach(stop),
    setData(key, data) {
      const entry = entryOf(key);
      stop(entry);
      write(entry, { data: share(entry.state.data, data), error: undefined, stale: false });
    },
    invalidate(prefix, within = 0) {
      for (const entry of below(prefix)) outdate(entry, within);
      reloadWithin(within);
    },
    refresh: (prefix) => below(prefix).forEach(reload),
    update<T>(prefix: Key, changed: (data: T) => T | undefined) {
      for (const entry of below(prefix)) {
        const data = entry.state.data === undefined ? undefined : changed(entry.state.data as T);
        if (data !== undefined && entry.watchers.size > 0) change(entry, data);
        else {
          stop(entry);
          discard(entry);
        }
      }
    },
    patch<T>(prefix: Key, changed: (data: T) => T) {
      for (const entry of below(prefix)) {
        const data = entry.state.data as T | undefined;
        const next = data === undefined ? undefined : changed(data);
        const isFirstCall = data === undefined && entry.call !== undefined;
        if (next !== data || isFirstCall) change(entry, next);
      }
    },
    clear() {
      for (const entry of [...entries.values()]) {
        stop(entry);
        if (entry.watchers.size === 0) entries.delete(entry.id);
        else write(entry, NOTHING);
      }
    },
  };
}
