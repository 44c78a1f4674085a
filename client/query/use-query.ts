import { useCallback, useState, useSyncExternalStore } from 'react';
import { queries } from './queries.ts';
import { idOf, NOTHING, type Query, type QueryState } from './query.ts';

/**
 * The state of a query, loaded when the component mounts and when the key changes. Null for none.
 * @param ahead loads in the background, and only if there is no fresh data
 */
export function useQuery<T>(query: Query<T> | null, ahead = false): QueryState<T> {
  const id = query && idOf(query.key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query
  const subscribe = useCallback(
    (listener: () => void) => (query ? queries.watch(query, listener, ahead) : () => {}),
    [id, ahead],
  );
  return useSyncExternalStore(subscribe, () => (query ? queries.read<T>(query.key) : NOTHING));
}

/** The last value that was not undefined: what the screen shows while the next one loads. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
