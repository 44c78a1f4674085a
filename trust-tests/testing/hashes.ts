/** Counts password hashes in this process with async hooks, independently of the server's own figures. */
import { createHook } from 'node:async_hooks';
import type { Test } from 'tap';
import { hashPassword } from '../../server/auth/password/passwords.ts';

// The async type of argon2's binding. If it changes, tests that expect a hash fail.
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
    // Runs when the thread has finished.
    before: (id) => void open.delete(id),
  }).enable();
  t.teardown(() => hook.disable());
  return {
    /** @returns the number of hashes made during this work */
    async during(work: () => Promise<unknown>): Promise<number> {
      const before = made;
      await work();
      return made - before;
    },
    /** @returns the largest number of simultaneous hashes */
    atOnce: () => most,
  };
}

/** @returns the milliseconds that one hash takes now */
export async function oneHash(): Promise<number> {
  const start = performance.now();
  await hashPassword('a password of nobody');
  return performance.now() - start;
}
