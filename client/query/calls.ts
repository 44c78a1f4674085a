/** The calls of the query store: each writes its answer into its entry. Calls of the same key are joined. */
import { below, type Call, type Entries, type Entry, entryOf, outdate, read, stop, write } from './entries.ts';
import type { Query, QueryState } from './query.ts';
import { share } from './share.ts';

/** The siblings of an entry that its answer shows to be out of date. @param before its last answer, if that was up to date */
function outdatedBy<T>(entries: Entries, entry: Entry, query: Query<T>, before: T | undefined, answer: T): Entry[] {
  const { siblings, outdates } = query;
  if (!siblings || !outdates) return [];
  const isOutdated = (data: T | undefined): boolean => data !== undefined && outdates(answer, data);
  const hasChanged = isOutdated(before);
  return below(entries, siblings).filter(
    (other) => other !== entry && (hasChanged || isOutdated(other.state.data as T)),
  );
}

/** Drops an entry that nobody watches, and loads a watched one again. */
export function discard(entries: Entries, entry: Entry, reloadWithin: (ms: number) => void): void {
  if (entry.watchers.size > 0) {
    outdate(entries, entry, 0);
    reloadWithin(0);
  } else {
    stop(entries, entry);
    entries.delete(entry.id);
  }
}

/** @param reloadWithin loads the watched entries that are out of date, within some ms */
export function createCalls(entries: Entries, reloadWithin: (ms: number) => void) {
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
      write(entries, entry, { data, error: undefined, fetching: false, stale: call.within !== undefined });
      // What outdated this entry has outdated its siblings too.
      for (const sibling of outdatedBy(entries, entry, query, stale ? undefined : before, data))
        discard(entries, sibling, reloadWithin);
    } catch (error) {
      if (isOver()) return;
      entry.call = undefined;
      const isShown = !call.isQuiet || query.isGone?.(error);
      write(entries, entry, isShown ? { error, fetching: false } : { fetching: false });
      if (!call.isQuiet) query.onError?.(error);
    }
    if (call.within !== undefined) reloadWithin(call.within);
  }

  function start<T>(query: Query<T>, isQuiet: boolean, background = isQuiet): Promise<void> {
    const entry = entryOf(entries, query.key);
    const call: Call = { stop: new AbortController(), isQuiet, within: undefined, done: Promise.resolve() };
    entry.call = call;
    write(entries, entry, { fetching: true });
    call.done = run(entry, query, call, background);
    return call.done;
  }

  async function fetch<T>(query: Query<T>): Promise<QueryState<T>> {
    const { call } = entryOf(entries, query.key);
    await (call?.done ?? start(query, false));
    const state = read<T>(entries, query.key);
    // A call that the user did not start failed silently, and this caller needs the data.
    return call?.isQuiet && !call.stop.signal.aborted && state.data === undefined ? fetch(query) : state;
  }

  async function prefetch<T>(query: Query<T>): Promise<T | undefined> {
    const { call, state } = entryOf(entries, query.key);
    if (state.data === undefined || state.stale) await (call?.done ?? start(query, true));
    return read<T>(entries, query.key).data;
  }

  function reload({ watchers, state, call }: Entry): void {
    const [first] = watchers;
    if (!first) return;
    const eager = [...watchers].find(({ ahead }) => !ahead);
    if (!eager) void prefetch(first.query);
    else if (state.data === undefined) void fetch(eager.query);
    // A 401 ends the session all the same.
    else if (!call) void start(eager.query, true, false);
  }

  return { fetch, prefetch, reload };
}
