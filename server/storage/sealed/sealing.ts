import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { StorageUnavailable } from '../../errors.ts';
import { sha256OfStream } from '../../lib/sha256.ts';
import { writeMeasured } from '../durable.ts';
import { asStorageError } from '../failures.ts';
import type { ObjectStore, OpenFile } from '../object-store.ts';
import type { Outcome, Put, Seals } from '../seals.ts';
import type { Staging } from '../staging.ts';
import { DamagedBytes, OtherBytes } from './damage.ts';
import { HEADER_SIZE, isSealed, openHeader, rewrapInPlace, rewrapWhole } from './header.ts';
import type { Keyring, MasterKey } from './keyring.ts';
import { BEGINNING, opened } from './open-sealed.ts';
import { type LocalFile, sealFile } from './seal-file.ts';
import { BrokenSeal } from './stream-format.ts';

/** The object to process; `sha256` of its plaintext, in hex, null if unknown. */
type Wanted = { key: string; sha256: string | null };

const chunkSize = 2 ** 20;
const nothing = Buffer.alloc(0);

async function beginningOf(file: Pick<OpenFile, 'read'>): Promise<Buffer> {
  const into = Buffer.alloc(BEGINNING);
  return into.subarray(0, await file.read(into, 0));
}

/** The beginning of an object, without a longer response to cut off. Undefined if there is no object. */
async function beginningAt(key: string, { open }: Pick<ObjectStore, 'open'>): Promise<Buffer | undefined> {
  const file = await open(key, { start: 0, end: BEGINNING - 1 });
  return file && beginningOf(file).finally(() => file.close());
}

/** Reads sequentially, so that a bucket needs one request. @param begins the bytes already read, up to `from` */
async function* bytesOf(file: OpenFile, begins: Buffer, from = begins.length): AsyncGenerator<Buffer> {
  if (begins.length > 0) yield begins;
  for (let at = from; at < file.size; ) {
    const into = Buffer.allocUnsafe(Math.min(chunkSize, file.size - at));
    const got = await file.read(into, at);
    if (got === 0) return;
    yield into.subarray(0, got);
    at += got;
  }
}

/** The object was replaced after it was copied; the work is retried. */
class Changed extends Error {
  override readonly message = 'it was overwritten while it was processed';
}
const maxTries = 5;

export function createSeals(
  objects: ObjectStore,
  keyring: Keyring,
  staging: Staging,
  tell: () => Promise<void>,
): Seals {
  /** Registers the key only once the object could be opened: a useless key must not become required. */
  async function present(): Promise<MasterKey> {
    if (!keyring.present) throw new TypeError('there is no key to seal with');
    await tell();
    return keyring.present;
  }

  /** @throws BrokenSeal, DamagedBytes if the copy does not open to the expected bytes */
  async function verify({ path }: LocalFile, { key, sha256 }: Wanted): Promise<void> {
    const stored = createReadStream(path, { highWaterMark: chunkSize });
    const found = await sha256OfStream(Readable.from(opened(stored, key, keyring)));
    if (sha256 !== null && found !== sha256) throw new OtherBytes(found, sha256);
  }

  /** Verifies the sealed copy and commits it, unless the original was replaced meanwhile. */
  async function replace(wanted: Wanted, version: string, copy: LocalFile, put: Put): Promise<Outcome> {
    const { key } = wanted;
    try {
      await verify(copy, wanted);
      if ((await objects.stat(key))?.version !== version) throw new Changed();
      if (await put(() => objects.commit(copy, key))) return 'done';
      await objects.remove(key);
      return 'missing';
    } finally {
      if (staging.holds(copy.path)) await staging.drop(copy.path);
    }
  }

  /** Reads the object again from the start. @throws Changed */
  async function* wholeOf(key: string, version: string): AsyncGenerator<Buffer> {
    const file = await objects.open(key);
    try {
      if (file?.version !== version) throw new Changed();
      yield* bytesOf(file, nothing);
    } finally {
      await file?.close();
    }
  }

  async function sealOnce({ key, sha256 }: Wanted, put: Put): Promise<Outcome> {
    const beginning = await beginningAt(key, objects);
    if (beginning && isSealed(beginning)) return 'before';
    const file = await objects.open(key);
    if (!file) return 'missing';
    try {
      const begins = await beginningOf(file);
      if (isSealed(begins)) return 'before';
      const found = await sha256OfStream(Readable.from(bytesOf(file, begins), { objectMode: false }));
      if (sha256 !== null && found !== sha256) throw new OtherBytes(found, sha256);
      const copy = await sealFile(wholeOf(key, file.version), key, await present(), staging);
      return await replace({ key, sha256: found }, file.version, copy, put);
    } finally {
      await file.close();
    }
  }

  /** @returns undefined if the backend cannot overwrite bytes in place */
  async function rewrapThere(key: string): Promise<Outcome | undefined> {
    if (!objects.patch) return undefined;
    const file = await objects.patch(key);
    if (!file) return 'missing';
    try {
      const beginning = await beginningOf(file);
      if (!isSealed(beginning)) return 'plain';
      openHeader(beginning, key, keyring);
      const patches = rewrapInPlace(beginning, key, keyring, await present());
      for (const { at, bytes } of patches) await file.write(bytes, at);
      return patches.length === 0 ? 'before' : 'done';
    } finally {
      await file.close();
    }
  }

  async function rewrapCopy(wanted: Wanted, put: Put): Promise<Outcome> {
    const { key } = wanted;
    const beginning = await beginningAt(key, objects);
    if (!beginning) return 'missing';
    if (!isSealed(beginning)) return 'plain';
    openHeader(beginning, key, keyring);
    const head = rewrapWhole(beginning, key, keyring, await present());
    if (!head) return 'before';
    const file = await objects.open(key);
    if (!file) return 'missing';
    try {
      if (!beginning.equals(await beginningOf(file))) throw new Changed();
      const copy = await staging.create();
      const source = Readable.from(
        (async function* () {
          yield head;
          yield* bytesOf(file, beginning.subarray(HEADER_SIZE), beginning.length);
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
      return await replace(wanted, file.version, { path: copy.path, ...measured }, put);
    } finally {
      await file.close();
    }
  }

  async function look(key: string): Promise<Outcome> {
    const beginning = await beginningAt(key, objects);
    if (!beginning) return 'missing';
    if (!isSealed(beginning)) return 'plain';
    openHeader(beginning, key, keyring);
    return 'before';
  }

  async function tryAgain(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
    for (let time = 1; ; time += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Changed && time < maxTries) continue;
        if (error instanceof Changed) throw Object.assign(new StorageUnavailable(), { cause: error });
        if (error instanceof DamagedBytes) throw error;
        throw error instanceof BrokenSeal ? new DamagedBytes(key, error) : asStorageError(error);
      }
    }
  }

  return {
    keyring,
    async *pieces() {
      // On a disk, pieces are staging files.
      if (objects.localPath) return;
      for await (const { key } of objects.list('partials')) yield key;
    },
    look: (key) => tryAgain(key, () => look(key)),
    async stored(key) {
      const file = await objects.open(key);
      if (!file) return undefined;
      const beginning = await beginningOf(file).catch(async (error) => {
        await file.close();
        throw error;
      });
      if (isSealed(beginning)) return { beginning, rest: bytesOf(file, nothing, beginning.length), close: file.close };
      await file.close();
      return undefined;
    },
    seal: (key, sha256, put) => tryAgain(key, () => sealOnce({ key, sha256 }, put)),
    rewrap: (key, sha256, put) =>
      tryAgain(key, async () => (await rewrapThere(key)) ?? (await rewrapCopy({ key, sha256 }, put))),
  };
}
