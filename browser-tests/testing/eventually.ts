import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';

const patience = 60_000;

/** Reads until what is read is what is wanted; what was read last is compared in the end, so that a failure shows it. */
export async function eventually<T>(t: Test, read: () => Promise<T> | T, wanted: T, message: string): Promise<void> {
  const end = Date.now() + patience;
  let found = await read();
  while (JSON.stringify(found) !== JSON.stringify(wanted) && Date.now() < end) {
    await pause(25);
    found = await read();
  }
  t.same(found, wanted, message);
}
