import { StorageUnavailable } from '../../errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { joinRunning } from '../../lib/single-flight.ts';
import type { S3Calls } from './calls.ts';
import { isAbsent, isReplaced, statusOf } from './failures.ts';
import { locationOf, type S3Settings } from './settings.ts';

export const markerName = ({ prefix }: Pick<S3Settings, 'prefix'>) => `${prefix}installation`;

/** @returns the id; other text if the object is malformed; undefined if there is none */
export const readS3Marker = (calls: S3Calls, settings: S3Settings): Promise<string | undefined> =>
  readLine(calls, markerName(settings));

/** The first 100 bytes of an object as text. @returns undefined if there is no object */
export async function readLine(calls: S3Calls, name: string): Promise<string | undefined> {
  const bytes = await calls.peek(name, { start: 0, end: 99 }).catch((error: unknown) => {
    // An empty object has no first byte.
    if (isAbsent(error)) return undefined;
    if (statusOf(error) === 416) return Buffer.alloc(0);
    throw error;
  });
  return bytes?.toString('utf8').trim();
}

/** @returns the stored id: another one if another process was first */
export async function makeS3Marker(calls: S3Calls, settings: S3Settings, id: string): Promise<string> {
  const bytes = Buffer.from(`${id}\n`);
  const options = { size: bytes.length, sha256: sha256Of(bytes) };
  await calls.put(markerName(settings), bytes, { ...options, absent: true }).catch((error: unknown) => {
    // Not every server supports the condition; the installation's row is locked meanwhile (database/installation.ts).
    if (statusOf(error) === 501 || statusOf(error) === 400) return calls.put(markerName(settings), bytes, options);
    if (!isReplaced(error) && statusOf(error) !== 409) throw error;
  });
  return (await readS3Marker(calls, settings)) ?? id;
}

export type MarkerWatch = {
  /** Called before each write; accepts a recent check. @throws StorageUnavailable; errors of the server */
  assertOwned(): Promise<void>;
  /** Checks now: called before an object is reported absent, and by health checks. */
  assertOwnedNow(): Promise<void>;
};

/** Reports an absent object only if the bucket belongs to this installation. @throws the error if it means something else */
export async function confirmAbsent(marker: MarkerWatch, error?: unknown): Promise<undefined> {
  if (error !== undefined && !isAbsent(error)) throw error;
  await marker.assertOwnedNow();
}

/** Milliseconds that a check stays valid: buckets do not come and go as mounted disks do. */
const fresh = 5_000;

export function watchS3Marker(calls: S3Calls, settings: S3Settings, installation: string): MarkerWatch {
  let seen = Number.NEGATIVE_INFINITY;

  const assertOwnedNow = joinRunning(async () => {
    const began = performance.now();
    if ((await readS3Marker(calls, settings)) !== installation) {
      throw Object.assign(new StorageUnavailable(), {
        cause: new Error(`${locationOf(settings)} does not hold this installation's mark`),
      });
    }
    seen = began;
  });

  return {
    assertOwnedNow,
    assertOwned: async () => {
      if (performance.now() - seen > fresh) await assertOwnedNow();
    },
  };
}
