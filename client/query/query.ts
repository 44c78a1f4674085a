/** A query, and the state of its entry in the store. */

/** A path: `['images', 'list', …]` is below the prefix `['images']`. */
export type Key = readonly (string | number)[];

export interface Query<T> {
  readonly key: Key;
  /** @param background the user did not start the call, so a 401 must not end the session */
  readonly load: (signal: AbortSignal, background: boolean) => Promise<T>;
  /** Called once for each failed call that the user started. */
  readonly onError?: (error: unknown) => void;
  /** Whether an error means that the value no longer exists. The state then contains it, also if the user did not start the call. */
  readonly isGone?: (error: unknown) => boolean;
  /** The prefix of entries that belong together, such as the pages of one list. */
  readonly siblings?: Key;
  /** Whether an answer shows that `other` is out of date: the last answer of this key, or a sibling's. */
  outdates?(answer: T, other: T): boolean;
}

export interface QueryState<T> {
  readonly data: T | undefined;
  /** Why the last call failed; undefined after a success. */
  readonly error: unknown;
  readonly fetching: boolean;
  /** Whether `data` is known to be out of date. */
  readonly stale: boolean;
}

/** The state of a query before its first call. */
export const NOTHING: QueryState<never> = { data: undefined, error: undefined, fetching: false, stale: false };

export const idOf = (key: Key): string => JSON.stringify(key);
