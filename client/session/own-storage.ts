import type { KeyValue } from '../lib/browser-storage.ts';
import type { SessionStore } from './session-store.ts';

export const ownKey = 'own';

/** One JSON value of the logged-in account. */
export interface StoredValue {
  /** undefined if nothing is stored; an earlier version may have written another shape. */
  get(): unknown;
  set(value: unknown): void;
}

interface Stored {
  readonly owner: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function parse(text: string | null): Stored | null {
  try {
    const stored = JSON.parse(text ?? 'null');
    return typeof stored?.owner === 'string' && typeof stored.values === 'object' ? stored : null;
  } catch {
    return null;
  }
}

/**
 * Browser storage for the logged-in account. A logout clears it; an expired session keeps it for its owner's next login, and
 * another account's login removes it. A full storage stores nothing and throws nothing.
 */
export function createOwnStorage(storage: KeyValue, session: Pick<SessionStore, 'user' | 'subscribe' | 'onEnd'>) {
  const read = (): Stored | null => {
    const stored = parse(storage.getItem(ownKey));
    return stored !== null && stored.owner === session.user()?.id ? stored : null;
  };
  const forget = () => storage.removeItem(ownKey);
  const forgetOthers = () => {
    if (session.user() !== null && read() === null) forget();
  };
  session.onEnd((how) => {
    if (how === 'ended') forget();
  });
  session.subscribe(forgetOthers);
  forgetOthers();

  return {
    /** Returns the value of this name. */
    value: (name: string): StoredValue => ({
      get: () => read()?.values[name],
      set(value) {
        const owner = session.user()?.id;
        if (owner === undefined) return;
        try {
          storage.setItem(ownKey, JSON.stringify({ owner, values: { ...read()?.values, [name]: value } }));
        } catch {
          // Storage is full: the value lasts as long as the page that holds it.
        }
      },
    }),
  };
}
