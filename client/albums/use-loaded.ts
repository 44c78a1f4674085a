import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';

export interface Loaded<T> {
  /** The last loaded value, also during a reload; undefined before the first. */
  readonly value: T | undefined;
  /** Why the last try failed; null if it did not. */
  readonly error: ApiError | null;
  readonly busy: boolean;
  readonly reload: () => void;
  readonly set: (value: T) => void;
}

/** @param load loads again when it changes; a change of `key` also discards the value */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<{ key: string; value: T | undefined; error: ApiError | null; busy: boolean }>({
    key,
    value: undefined,
    error: null,
    busy: true,
  });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reloads
  useEffect(() => {
    const stop = new AbortController();
    setState((last) => ({ key, value: last.key === key ? last.value : undefined, error: null, busy: true }));
    load(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setState({ key, value, error: null, busy: false });
      },
      (error) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setState((last) => ({ ...last, error, busy: false }));
      },
    );
    return () => stop.abort();
  }, [load, key, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const set = useCallback((value: T) => setState((last) => ({ ...last, value })), []);
  const value = state.key === key ? state.value : undefined;
  return { value, error: state.error, busy: state.busy, reload, set };
}
