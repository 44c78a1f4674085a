import { Readable } from 'node:stream';
import { writeMeasured } from '../../durable.ts';
import type { ObjectStore, OpenFile } from '../../object-store.ts';
import type { Outcome, Put } from '../../seals.ts';
import type { Staging } from '../../staging.ts';
import { HEADER_SIZE, isSealed, openHeader, rewrapInPlace, rewrapWhole } from '../header.ts';
import type { Keyring, MasterKey } from '../keyring.ts';
import type { LocalFile } from '../seal-file.ts';
import { beginningAt, beginningOf, bytesOf } from './object-bytes.ts';
import { Changed, type Replacement, type Wanted } from './replacement.ts';

type Parts = {
  objects: ObjectStore;
  keyring: Keyring;
  staging: Staging;
  replacement: Replacement;
  /** The key to wrap with, once it is registered. */
  registeredKey: () => Promise<MasterKey>;
};

export function createRewrap({ objects, keyring, staging, replacement, registeredKey }: Parts) {
  /** @returns undefined if the backend cannot overwrite bytes in place */
  async function inPlace(key: string): Promise<Outcome | undefined> {
    if (!objects.patch) return undefined;
    const file = await objects.patch(key);
    if (!file) return 'missing';
    try {
      const beginning = await beginningOf(file);
      if (!isSealed(beginning)) return 'plain';
      openHeader(beginning, key, keyring);
      const patches = rewrapInPlace(beginning, key, keyring, await registeredKey());
      for (const { at, bytes } of patches) await file.write(bytes, at);
      return patches.length === 0 ? 'before' : 'done';
    } finally {
      await file.close();
    }
  }

  async function copyWith(header: Buffer, file: OpenFile, beginning: Buffer): Promise<LocalFile> {
    const copy = await staging.create();
    const source = Readable.from(
      (async function* () {
        yield header;
        yield* bytesOf(file, beginning.subarray(HEADER_SIZE), beginning.length);
      })(),
      { objectMode: false },
    );
    try {
      const written = await writeMeasured(source, copy.file);
      if (written.size !== file.size) throw new Changed();
      await copy.file.sync();
      return { path: copy.path, ...written };
    } catch (error) {
      await staging.drop(copy.path);
      throw error;
    } finally {
      await copy.file.close();
    }
  }

  async function byCopy(wanted: Wanted, put: Put): Promise<Outcome> {
    const { key } = wanted;
    const beginning = await beginningAt(key, objects);
    if (!beginning) return 'missing';
    if (!isSealed(beginning)) return 'plain';
    openHeader(beginning, key, keyring);
    const header = rewrapWhole(beginning, key, keyring, await registeredKey());
    if (!header) return 'before';
    const file = await objects.open(key);
    if (!file) return 'missing';
    try {
      if (!beginning.equals(await beginningOf(file))) throw new Changed();
      return await replacement.replace(wanted, file.version, await copyWith(header, file, beginning), put);
    } finally {
      await file.close();
    }
  }

  return async (wanted: Wanted, put: Put): Promise<Outcome> =>
    (await inPlace(wanted.key)) ?? (await byCopy(wanted, put));
}
