import type { LeasedBuffer, OpenFile } from '../object-store.ts';
import { asDamage, NotSealed } from './damage.ts';
import { HEADER_SIZE, isSealed, openHeader, segmentSizeIn } from './header.ts';
import type { Keyring } from './keyring.ts';
import { openRandomly, type RandomReader } from './random-reader.ts';
import { createOpening, type StreamKey } from './stream.ts';
import { BrokenSeal, headerSizeOf, layoutOf, type StreamParameters } from './stream-format.ts';

/** Bytes per segment: larger segments are faster, but each reader holds one (docs/decisions). */
export const SEGMENT_SIZE = 2 ** 18;

export const parametersOf = (segmentSize: number): StreamParameters => ({
  hash: 'sha256',
  derivedKeySize: 32,
  segmentSize,
});

export const streamKeyOf = (name: string, dataKey: Uint8Array, segmentSize: number): StreamKey => ({
  parameters: parametersOf(segmentSize),
  key: dataKey,
  associatedData: Buffer.from(name),
});

const nothing: LeasedBuffer = { bytes: Buffer.alloc(0), release: () => undefined };

/** Bytes of a file that are read with its header, so that most thumbnails take one read. */
const SMALL = 2 ** 16;
/** Bytes before the first segment of a new object. */
export const BEGINNING = HEADER_SIZE + headerSizeOf(parametersOf(SEGMENT_SIZE));

/** The plaintext's size; undefined if plain or invalid. @param beginning the first 16 bytes, if there are as many */
export function plainSizeOf(beginning: Uint8Array, size: number): number | undefined {
  const segmentSize = isSealed(beginning) ? segmentSizeIn(beginning) : undefined;
  return segmentSize && layoutOf(parametersOf(segmentSize)).plainSize(size - HEADER_SIZE);
}

/** Represents plaintext in place of sealed bytes: an empty file, which matches no row's size. */
const withoutBytes = ({ version, close }: OpenFile): OpenFile => ({ size: 0, version, read: async () => 0, close });

export type Opened = OpenFile & { isPlain: boolean };

/** Takes over the file. With a broken seal, it opens but has no readable bytes. @param sealed whether plaintext is damage */
export async function openSealed(file: OpenFile, name: string, keyring: Keyring, sealed = false): Promise<Opened> {
  try {
    const first = Buffer.allocUnsafe(file.size <= SMALL ? file.size : Math.min(file.size, BEGINNING));
    const beginning = first.subarray(0, await file.read(first, 0));
    if (!isSealed(beginning)) return { ...(sealed ? withoutBytes(file) : file), isPlain: true };
    const size = plainSizeOf(beginning, file.size) ?? file.size;
    const reader = await readerOf(file, beginning, name, keyring).catch((error) => {
      if (error instanceof BrokenSeal) return undefined;
      throw error;
    });
    return {
      isPlain: false,
      size,
      version: file.version,
      async read(into, at) {
        try {
          return (await reader?.read(into, at)) ?? 0;
        } catch (error) {
          if (!(error instanceof BrokenSeal)) throw error;
          into.fill(0);
          return 0;
        }
      },
      async lease(at) {
        try {
          return (await reader?.lease(at)) ?? nothing;
        } catch (error) {
          if (!(error instanceof BrokenSeal)) throw error;
          return nothing;
        }
      },
      close() {
        reader?.close();
        return file.close();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readerOf(file: OpenFile, beginning: Buffer, name: string, keyring: Keyring): Promise<RandomReader> {
  const { dataKey, segmentSize } = await headOf(file, beginning, name, keyring);
  const read = async (into: Uint8Array, at: number) => {
    const from = HEADER_SIZE + at;
    if (from + into.length > beginning.length) return file.read(into, from);
    into.set(beginning.subarray(from, from + into.length));
    return into.length;
  };
  return openRandomly(streamKeyOf(name, dataKey, segmentSize), { size: file.size - HEADER_SIZE, read });
}

/** Reads the header again if neither slot is valid: a concurrent rewrap may have changed both. */
async function headOf(file: OpenFile, beginning: Buffer, name: string, keyring: Keyring) {
  try {
    return openHeader(beginning, name, keyring);
  } catch (error) {
    if (!(error instanceof BrokenSeal)) throw error;
    const again = Buffer.alloc(HEADER_SIZE);
    return openHeader(again.subarray(0, await file.read(again, 0)), name, keyring);
  }
}

/**
 * Unseals stored bytes; passes plaintext through.
 * @param sealed whether plaintext is damage
 * @throws DamagedBytes before the first unverified byte
 */
export async function* opened(
  stored: AsyncIterable<Buffer>,
  name: string,
  keyring: Keyring,
  sealed = false,
): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  let opening: ReturnType<typeof createOpening> | 'plain' | undefined;
  const begin = () => {
    const beginning = Buffer.concat(gathered);
    gathered = [];
    if (!isSealed(beginning)) {
      if (sealed) throw new NotSealed();
      opening = 'plain';
      return [beginning];
    }
    const { dataKey, segmentSize } = openHeader(beginning, name, keyring);
    opening = createOpening(streamKeyOf(name, dataKey, segmentSize));
    return opening.add(beginning.subarray(HEADER_SIZE));
  };
  try {
    for await (const chunk of stored) {
      if (opening === 'plain') yield chunk;
      else if (opening) yield* opening.add(chunk);
      else {
        gathered.push(chunk);
        size += chunk.length;
        if (size >= HEADER_SIZE) yield* begin();
      }
    }
    if (!opening) yield* begin();
    if (typeof opening === 'object') yield* opening.end();
  } catch (error) {
    throw asDamage(name, error);
  }
}
