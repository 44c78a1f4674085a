/** The bucket's mark: an object with the id of the installation that it belongs to, as the disk has a file. */
import { StorageUnavailable } from '../../errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import type { S3Calls } from './calls.ts';
import { isAbsent, isReplaced, statusOf } from './failures.ts';
import { placeOf, type S3Settings } from './settings.ts';

export const markerName = ({ prefix }: Pick<S3Settings, 'prefix'>) => `${prefix}installation`;

/** @returns the id; a text that is none for an object of another form; undefined where there is none */
export const readS3Marker = (calls: S3Calls, settings: S3Settings): Promise<string | undefined> =>
  readLine(calls, markerName(settings));

/** The beginning of a small text. @returns undefined where there is no such object */
export async function readLine(calls: S3Calls, name: string): Promise<string | undefined> {
  const bytes = await calls.peek(name, { start: 0, end: 99 }).catch((error: unknown) => {
    // An empty one has no first byte.
    if (isAbsent(error)) return undefined;
    if (statusOf(error) === 416) return Buffer.alloc(0);
    throw error;
  });
  return bytes?.toString('utf8').trim();
}

/** @returns the id that now stands there: another's, where another was first */
export async function makeS3Marker(calls: S3Calls, settings: S3Settings, id: string): Promise<string> {
  const bytes = Buffer.from(`${id}\n`);
  const options = { size: bytes.length, sha256: sha256Of(bytes) };
  await calls.put(markerName(settings), bytes, { ...options, absent: true }).catch((error: unknown) => {
    // Not every server knows the condition; the installation's row is locked meanwhile (database/installation.ts).
    if (statusOf(error) === 501 || statusOf(error) === 400) return calls.put(markerName(settings), bytes, options);
    if (!isReplaced(error) && statusOf(error) !== 409) throw error;
  });
  return (await readS3Marker(calls, settings)) ?? id;
}

export type MarkerWatch = {
  /** Asked before each write: what was seen a few seconds ago will do. @throws StorageUnavailable; what the server answers */
  assertOwned(): Promise<void>;
  /** Asked before something is said to be absent, and by who wants to know now. */
  assertOwnedNow(): Promise<void>;
};

/** Milliseconds for which the mark counts as seen: a bucket does not go and come as a disk does. */
const fresh = 5_000;

export function watchS3Marker(calls: S3Calls, settings: S3Settings, installation: string): MarkerWatch {
  let seen = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const began = performance.now();
    if ((await readS3Marker(calls, settings)) !== installation) {
      throw Object.assign(new StorageUnavailable(), {
        cause: new Error(`${placeOf(settings)} does not hold this installation's mark`),
      });
    }
    seen = began;
  }

  const assertOwnedNow = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    assertOwnedNow,
    assertOwned: async () => {
      if (performance.now() - seen > fresh) await assertOwnedNow();
    },
  };
}
