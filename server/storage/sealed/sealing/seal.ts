import { Readable } from 'node:stream';
import { sha256OfStream } from '../../../lib/sha256.ts';
import type { ObjectStore } from '../../object-store.ts';
import type { Outcome, Put } from '../../seals.ts';
import type { Staging } from '../../staging.ts';
import { OtherBytes } from '../damage.ts';
import { isSealed } from '../header.ts';
import type { MasterKey } from '../keyring.ts';
import { sealFile } from '../seal-file.ts';
import { beginningAt, beginningOf, bytesOf } from './object-bytes.ts';
import { Changed, type Replacement, type Wanted } from './replacement.ts';

type Parts = {
  objects: ObjectStore;
  staging: Staging;
  replacement: Replacement;
  /** The key to seal with, once it is registered. */
  registeredKey: () => Promise<MasterKey>;
};

export function createSeal({ objects, staging, replacement, registeredKey }: Parts) {
  /** Reads the object again from the start. @throws Changed */
  async function* wholeOf(key: string, version: string): AsyncGenerator<Buffer> {
    const file = await objects.open(key);
    try {
      if (file?.version !== version) throw new Changed();
      yield* bytesOf(file, Buffer.alloc(0));
    } finally {
      await file?.close();
    }
  }

  return async ({ key, sha256 }: Wanted, put: Put): Promise<Outcome> => {
    const beginning = await beginningAt(key, objects);
    if (beginning && isSealed(beginning)) return 'before';
    const file = await objects.open(key);
    if (!file) return 'missing';
    try {
      const begins = await beginningOf(file);
      if (isSealed(begins)) return 'before';
      const found = await sha256OfStream(Readable.from(bytesOf(file, begins), { objectMode: false }));
      if (sha256 !== null && found !== sha256) throw new OtherBytes(found, sha256);
      const copy = await sealFile(wholeOf(key, file.version), key, await registeredKey(), staging);
      return await replacement.replace({ key, sha256: found }, file.version, copy, put);
    } finally {
      await file.close();
    }
  };
}
