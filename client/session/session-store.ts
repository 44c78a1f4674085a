import type { User } from '../../server/contract.ts';
import type { KeyValue } from '../lib/browser-storage.ts';

export const tokenKey = 'access_token';
export const userKey = 'user';

/** `expired`: the server refused the token. `ended`: logged out. Here or in another tab. */
export type SessionEnd = 'ended' | 'expired';

export interface SessionStore {
  token(): string | null;
  user(): User | null;
  start(session: { access_token: string; user: User }): void;
  /** Stores the token that replaces `old`. Does nothing if the session has ended meanwhile. */
  renew(old: string | null, next: string): void;
  /** Stores a changed username or email. Does nothing if another account has logged in meanwhile. */
  rename(user: User): void;
  end(): void;
  /** Keeps the stored user, by which the other tabs see that nobody has logged out. Ends the session only if `token` is still stored: a late 401 must not end a newer login. */
  expire(token: string): void;
  /** Reads the storage again after a change by another tab. */
  refresh(): void;
  subscribe(listener: () => void): () => void;
  onEnd(listener: (how: SessionEnd) => void): () => void;
}

function readUser(storage: KeyValue): User | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(userKey) ?? 'null');
    return typeof value === 'object' && value !== null ? (value as User) : null;
  } catch {
    return null;
  }
}

/** The stored session: `access_token` and `user` (JSON). A stored token means logged in. */
export function createSessionStore(storage: KeyValue): SessionStore {
  let token = storage.getItem(tokenKey) || null;
  const listeners = new Set<() => void>();
  const endListeners = new Set<(how: SessionEnd) => void>();

  function change(next: string | null, how: SessionEnd) {
    if (next === token) return;
    token = next;
    for (const listener of listeners) listener();
    if (!next) for (const listener of endListeners) listener(how);
  }
  const refresh = () =>
    change(storage.getItem(tokenKey) || null, storage.getItem(userKey) === null ? 'ended' : 'expired');

  return {
    token: () => token,
    user: () => (token ? readUser(storage) : null),
    start(session) {
      try {
        storage.setItem(userKey, JSON.stringify(session.user));
        storage.setItem(tokenKey, session.access_token);
      } catch {
        // Storage is full: the session lasts as long as the page.
      }
      change(session.access_token, 'ended');
    },
    renew(old, next) {
      if (old === null || old !== token) return;
      try {
        storage.setItem(tokenKey, next);
      } catch {
        // Storage is full: the session lasts as long as the page.
      }
      change(next, 'ended');
    },
    rename(user) {
      if (!token || (readUser(storage)?.id ?? user.id) !== user.id) return;
      try {
        storage.setItem(userKey, JSON.stringify(user));
      } catch {
        // Storage is full: the next login stores the names.
      }
    },
    end() {
      // The other tabs read this when the token goes.
      storage.removeItem(userKey);
      storage.removeItem(tokenKey);
      change(null, 'ended');
    },
    expire(refused) {
      // Another tab may have renewed the session, and its storage event may not have arrived yet.
      if (storage.getItem(tokenKey)) refresh();
      if (refused !== token) return;
      storage.removeItem(tokenKey);
      change(null, 'expired');
    },
    refresh,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEnd(listener) {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
  };
}
