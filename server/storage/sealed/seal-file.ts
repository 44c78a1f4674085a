import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StorageUnavailable } from '../../errors.ts';
import { writeMeasured } from '../durable.ts';
import type { Staging } from '../staging.ts';
import { createHead } from './head.ts';
import type { MasterKey } from './keyring.ts';
import { SEGMENT_SIZE, streamKeyOf } from './open-sealed.ts';
import { createSealing } from './stream.ts';

/** `sha256` in hex, of what stands in the file. */
export type LocalFile = { path: string; size: number; sha256: string };

/**
 * A sealed copy in staging, synced, in hand until it is kept or dropped.
 * @param sha256 of what the source should give
 * @throws StorageUnavailable where it gives something else
 */
export async function sealFile(
  source: Readable,
  sha256: string,
  key: string,
  present: MasterKey,
  staging: Staging,
): Promise<LocalFile> {
  const { head, dataKey } = createHead(key, present, SEGMENT_SIZE);
  const sealing = createSealing(streamKeyOf(key, dataKey, SEGMENT_SIZE), head);
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const { path, file } = await staging.create().catch((error) => {
    source.destroy();
    throw error;
  });
  try {
    const sealed = pipeline(source, hashing, sealing);
    // Both ended before the file is closed.
    const [measured] = await Promise.all([writeMeasured(sealing, file), sealed]).finally(() =>
      sealed.catch(() => undefined),
    );
    if (hash.digest('hex') !== sha256) {
      throw Object.assign(new StorageUnavailable(), {
        cause: new Error(`the bytes of ${key} changed while they were sealed`),
      });
    }
    await file.sync();
    return { path, ...measured };
  } catch (error) {
    await staging.drop(path);
    throw error;
  } finally {
    await file.close();
  }
}
