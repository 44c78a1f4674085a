import type { Test } from 'tap';
import { giveTime } from '../../server/testing/eventually.ts';

/** Reads until the value equals `wanted`, and asserts the last value read, so that a failure shows it. */
export async function eventually<T>(t: Test, read: () => Promise<T> | T, wanted: T, message: string): Promise<void> {
  let found: T | undefined;
  await giveTime(async () => {
    found = await read();
    return JSON.stringify(found) === JSON.stringify(wanted);
  }, 60);
  t.same(found, wanted, message);
}
