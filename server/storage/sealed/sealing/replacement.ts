import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { StorageUnavailable } from '../../../errors.ts';
import { sha256OfStream } from '../../../lib/sha256.ts';
import { asStorageError } from '../../failures.ts';
import type { ObjectStore } from '../../object-store.ts';
import type { Outcome, Put } from '../../seals.ts';
import type { Staging } from '../../staging.ts';
import { DamagedBytes, OtherBytes } from '../damage.ts';
import type { Keyring } from '../keyring.ts';
import { opened } from '../open-sealed.ts';
import type { LocalFile } from '../seal-file.ts';
import { BrokenSeal } from '../stream-format.ts';
import { chunkSize } from './object-bytes.ts';

/** The object to process; `sha256` of its plaintext, in hex, null if unknown. */
export type Wanted = { key: string; sha256: string | null };

/** The object was replaced after it was copied; the work is retried. */
export class Changed extends Error {
  override readonly message = 'it was overwritten while it was processed';
}
const maxAttempts = 5;

export type Replacement = ReturnType<typeof createReplacement>;

export function createReplacement(objects: ObjectStore, keyring: Keyring, staging: Staging) {
  /** @throws BrokenSeal, DamagedBytes if the copy does not open to the expected bytes */
  async function verify({ path }: LocalFile, { key, sha256 }: Wanted): Promise<void> {
    const stored = createReadStream(path, { highWaterMark: chunkSize });
    const found = await sha256OfStream(Readable.from(opened(stored, key, keyring)));
    if (sha256 !== null && found !== sha256) throw new OtherBytes(found, sha256);
  }

  return {
    /** Verifies the copy and commits it, unless the original was replaced meanwhile. @throws Changed */
    async replace(wanted: Wanted, version: string, copy: LocalFile, put: Put): Promise<Outcome> {
      const { key } = wanted;
      try {
        await verify(copy, wanted);
        if ((await objects.stat(key))?.version !== version) throw new Changed();
        if (await put(() => objects.commit(copy, key))) return 'done';
        await objects.remove(key);
        return 'missing';
      } finally {
        if (staging.isInUse(copy.path)) await staging.drop(copy.path);
      }
    },
  };
}

/** Repeats the work if the object was replaced meanwhile. @throws DamagedBytes, NoSpace, StorageUnavailable */
export async function retryChanged(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Changed && attempt < maxAttempts) continue;
      if (error instanceof Changed) throw Object.assign(new StorageUnavailable(), { cause: error });
      if (error instanceof DamagedBytes) throw error;
      throw error instanceof BrokenSeal ? new DamagedBytes(key, error) : asStorageError(error);
    }
  }
}
