/** Password hashes made in this process, seen where they are handed to a thread: not by the server's own word. */
import { createHook } from 'node:async_hooks';
import type { Test } from 'tap';
import { hashPassword } from '../../server/auth/password/passwords.ts';

// The name that argon2's binding gives to its work. A test that sees no hash where there is one tells that it has changed.
const workOfBinding = 'undefined';

export function watchHashes(t: Test) {
  const open = new Set<number>();
  let [made, most] = [0, 0];
  const hook = createHook({
    init(id, type) {
      if (type !== workOfBinding) return;
      open.add(id);
      made += 1;
      most = Math.max(most, open.size);
    },
    // The thread is done, and says so.
    before: (id) => void open.delete(id),
  }).enable();
  t.teardown(() => hook.disable());
  return {
    /** How many were made while this work went on. */
    async during(work: () => Promise<unknown>): Promise<number> {
      const before = made;
      await work();
      return made - before;
    },
    /** The most that were under way at once. */
    atOnce: () => most,
  };
}

/** Milliseconds that one hash takes, here and now. */
export async function oneHash(): Promise<number> {
  const start = performance.now();
  await hashPassword('a password of nobody');
  return performance.now() - start;
}
