import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import type { ObjectStore } from '../object-store.ts';
import type { Storage } from '../storage.ts';

/** A storage to test. */
export type Sample = {
  storage: Storage;
  objects: ObjectStore;
  /** Opens the same storage as another process. */
  second(): Promise<Storage>;
  /** Unmounts the disk or cuts the network. @returns a function that restores it */
  takeAway(): Promise<() => Promise<void>>;
};

export const away = { code: 'STORAGE_UNAVAILABLE' };

/** Larger than a stream's chunk, and not a round size. */
export const large = Buffer.alloc(3 * 2 ** 20 + 7, 'what a picture is made of ');

export function newKey(collection: 'originals' | 'thumbnails' = 'originals'): string {
  const id = uuidv7();
  return `${collection}/${id.slice(-2)}/${id}.bin`;
}

export async function readWhole({ read }: Pick<Storage, 'read'>, key: string, range?: { start: number; end: number }) {
  const stream = await read(key, range);
  return stream && buffer(stream);
}

export const inParts = (bytes: Buffer) =>
  Readable.from(
    [bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000)].filter((part) => part.length),
  );

export async function keysOf(objects: ObjectStore, collection: 'originals' | 'thumbnails'): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list(collection)) keys.push(key);
  return keys.sort();
}

/** By their titles. */
export type Checks<S> = Record<string, (t: Test, sample: S) => Promise<void>>;

/** @param skip why the storage is not available here, or false */
export function runChecks<S>(
  name: string,
  checks: Checks<S>,
  open: (t: Test) => Promise<S>,
  skip: string | false = false,
): void {
  for (const [title, check] of Object.entries(checks))
    t.test(`${name}: ${title}`, { skip }, async (t) => check(t, await open(t)));
}
