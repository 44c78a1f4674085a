import type { KeyValue } from '../lib/browser-storage.ts';
import type { SessionStore } from './session-store.ts';

export const ownKey = 'own';

/** One value of the account that is logged in, of whatever JSON can carry. */
export interface Kept {
  /** undefined where nothing is kept; what stands there may have been written by an earlier version. */
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
 * What the browser keeps for the account that is logged in. A logout forgets it; a session that expired does not: its owner
 * logs in again and goes on, whoever else logs in finds nothing of it. A full storage keeps nothing, and is no error.
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
    /** The value of this name. */
    kept: (name: string): Kept => ({
      get: () => read()?.values[name],
      set(value) {
        const owner = session.user()?.id;
        if (owner === undefined) return;
        try {
          storage.setItem(ownKey, JSON.stringify({ owner, values: { ...read()?.values, [name]: value } }));
        } catch {
          // Full: it lasts as long as the page that holds it.
        }
      },
    }),
  };
}
