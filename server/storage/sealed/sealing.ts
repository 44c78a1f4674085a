/** Work on objects as they stand: seals those that are plain, and puts sealed ones under the present key. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { StorageUnavailable } from '../../errors.ts';
import { sha256OfStream } from '../../sha256.ts';
import { writeMeasured } from '../durable.ts';
import { asStorageError } from '../failures.ts';
import type { Objects, OpenFile } from '../objects.ts';
import type { Staging } from '../staging.ts';
import { DamagedBytes } from './damage.ts';
import { HEAD_SIZE, isSealed, rewrapInPlace, rewrapWhole } from './head.ts';
import type { Keyring, MasterKey } from './keyring.ts';
import { BEGINNING, opened, plainSizeOf } from './open-sealed.ts';
import { type LocalFile, sealFile } from './seal-file.ts';
import { BrokenSeal } from './stream-format.ts';

/** What stands under a key, sealed: its beginning, up to the first segment, and all that follows. */
export type StoredSealed = { beginning: Buffer; rest: AsyncIterable<Buffer>; close(): Promise<void> };

/** Runs the work while nobody deletes or changes what stands under the key. @returns false where it is gone already */
export type Hold = (work: () => Promise<void>) => Promise<boolean>;

export type Outcome = 'done' | 'before' | 'plain' | 'missing';

export type Sealing = {
  readonly keyring: Keyring;
  /** Answers undefined where nothing stands under the key, or nothing sealed. */
  stored(key: string): Promise<StoredSealed | undefined>;
  /** The keys of the pieces of uploads under way, where they are objects. */
  pieces(): AsyncGenerator<string>;
  /** Of a sealed object, by its beginning and the bytes that follow. */
  plainSize(beginning: Buffer, rest: number): number;
  /**
   * Seals what stands there plain: a copy, which is verified, in its place.
   * @param sha256 of the plaintext, in hex, where it is known
   * @throws DamagedBytes where it is another
   */
  seal(key: string, sha256: string | null, hold: Hold): Promise<Outcome>;
  /**
   * Puts its data key under the present key: in its place, or where that cannot be, by a copy with the same bytes.
   * @throws DamagedBytes where no key that is given opens it
   */
  rewrap(key: string, hold: Hold): Promise<Outcome>;
};

const chunkSize = 2 ** 20;

async function beginningOf(file: Pick<OpenFile, 'read'>): Promise<Buffer> {
  const into = Buffer.alloc(BEGINNING);
  return into.subarray(0, await file.read(into, 0));
}

async function* bytesOf(file: OpenFile, from: number): AsyncGenerator<Buffer> {
  for (let at = from; at < file.size; ) {
    const into = Buffer.allocUnsafe(Math.min(chunkSize, file.size - at));
    const got = await file.read(into, at);
    if (got === 0) return;
    yield into.subarray(0, got);
    at += got;
  }
}

/** Another stands there by now than the one that was copied: what follows is done again. */
class Changed extends Error {}
const mostTries = 5;

export function createSealing(objects: Objects, keyring: Keyring, staging: Staging): Sealing {
  function present(): MasterKey {
    if (!keyring.present) throw new TypeError('there is no key to seal with');
    return keyring.present;
  }

  /** Makes a copy of what is open, and puts it in its place unless another has come there. */
  async function replace(key: string, version: string, copy: LocalFile, hold: Hold): Promise<Outcome> {
    try {
      const stood = await hold(async () => {
        if ((await objects.stat(key))?.version !== version) throw new Changed();
        await objects.keep(copy, key);
      });
      return stood ? 'done' : 'missing';
    } finally {
      if (staging.holds(copy.path)) await staging.drop(copy.path);
    }
  }

  async function verify(copy: LocalFile, key: string, sha256: string): Promise<void> {
    try {
      const stored = createReadStream(copy.path, { highWaterMark: chunkSize });
      if ((await sha256OfStream(Readable.from(opened(stored, key, keyring)))) === sha256) return;
    } catch (error) {
      await staging.drop(copy.path);
      throw error;
    }
    await staging.drop(copy.path);
    throw Object.assign(new StorageUnavailable(), {
      cause: new Error(`the sealed copy of ${key} is not what it was made of`),
    });
  }

  async function sealOnce(key: string, sha256: string | null, hold: Hold): Promise<Outcome> {
    const file = await objects.open(key);
    if (!file) return 'missing';
    try {
      if (isSealed(await beginningOf(file))) return 'before';
      const found = await sha256OfStream(Readable.from(bytesOf(file, 0), { objectMode: false }));
      if (sha256 !== null && found !== sha256) {
        throw new DamagedBytes(key, new BrokenSeal(`its SHA-256 is ${found} instead of ${sha256}`));
      }
      const copy = await sealFile(bytesOf(file, 0), key, present(), staging);
      await verify(copy, key, found);
      return await replace(key, file.version, copy, hold);
    } finally {
      await file.close();
    }
  }

  /** @returns undefined where the place cannot be written over */
  async function rewrapThere(key: string): Promise<Outcome | undefined> {
    if (!objects.patch) return undefined;
    const file = await objects.patch(key);
    if (!file) return 'missing';
    try {
      const beginning = await beginningOf(file);
      if (!isSealed(beginning)) return 'plain';
      const patches = rewrapInPlace(beginning, key, keyring, present());
      for (const { at, bytes } of patches) await file.write(bytes, at);
      return patches.length === 0 ? 'before' : 'done';
    } finally {
      await file.close();
    }
  }

  async function rewrapCopy(key: string, hold: Hold): Promise<Outcome> {
    const file = await objects.open(key);
    if (!file) return 'missing';
    try {
      const beginning = await beginningOf(file);
      if (!isSealed(beginning)) return 'plain';
      const head = rewrapWhole(beginning, key, keyring, present());
      if (!head) return 'before';
      const copy = await staging.create();
      const source = Readable.from(
        (async function* () {
          yield head;
          yield* bytesOf(file, HEAD_SIZE);
        })(),
        { objectMode: false },
      );
      const measured = await writeMeasured(source, copy.file)
        .then(async (written) => {
          if (written.size !== file.size) throw new Changed();
          await copy.file.sync();
          return written;
        })
        .catch(async (error) => {
          await staging.drop(copy.path);
          throw error;
        })
        .finally(() => copy.file.close());
      return await replace(key, file.version, { path: copy.path, ...measured }, hold);
    } finally {
      await file.close();
    }
  }

  async function tryAgain(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
    for (let time = 1; ; time += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Changed && time < mostTries) continue;
        if (error instanceof DamagedBytes) throw error;
        throw error instanceof BrokenSeal ? new DamagedBytes(key, error) : asStorageError(error);
      }
    }
  }

  return {
    keyring,
    async *pieces() {
      // On a disk they are files of the staging.
      if (objects.localPath) return;
      for await (const { key } of objects.list('partials')) yield key;
    },
    plainSize: (beginning, rest) => plainSizeOf(beginning, beginning.length + rest) ?? 0,
    async stored(key) {
      const file = await objects.open(key);
      if (!file) return undefined;
      const beginning = await beginningOf(file).catch(async (error) => {
        await file.close();
        throw error;
      });
      if (isSealed(beginning)) return { beginning, rest: bytesOf(file, beginning.length), close: file.close };
      await file.close();
      return undefined;
    },
    seal: (key, sha256, hold) => tryAgain(key, () => sealOnce(key, sha256, hold)),
    rewrap: (key, hold) => tryAgain(key, async () => (await rewrapThere(key)) ?? (await rewrapCopy(key, hold))),
  };
}
