import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { writeWhole } from '../durable.ts';
import type { Staging } from '../staging.ts';
import { createBufferPool, releaseMemory } from './buffer-memory.ts';
import { createHeader } from './header.ts';
import type { MasterKey } from './keyring.ts';
import { SEGMENT_SIZE, streamKeyOf } from './open-sealed.ts';
import { createSealing } from './stream.ts';

/** `sha256` in hex, of the file's bytes. */
export type LocalFile = { path: string; size: number; sha256: string };

/** Bytes per read, and a pool for four reads. */
const pieceSize = 2 ** 20;
const pool = createBufferPool(pieceSize, 4);

/** The bytes of a file. Each piece is valid until the next one is requested. */
export async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  const piece = pool.acquire(pieceSize);
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    pool.release(piece);
    await file.close();
  }
}

/** Writes a sealed, synced copy, held until committed or dropped. Large writes: concurrent syncs delay each call to the disk. */
export async function sealFile(
  source: AsyncIterable<Buffer>,
  key: string,
  present: MasterKey,
  staging: Staging,
): Promise<LocalFile> {
  const { header, dataKey } = createHeader(key, present, SEGMENT_SIZE);
  const sealing = createSealing(streamKeyOf(key, dataKey, SEGMENT_SIZE));
  const { path, file } = await staging.create();
  try {
    const written = await writeAll(file, async function* () {
      yield [header];
      for await (const piece of source) yield sealing.add(piece);
      yield sealing.end();
    });
    await file.sync();
    return { path, ...written };
  } catch (error) {
    await staging.drop(path);
    throw error;
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, parts: () => AsyncGenerator<Buffer[]>) {
  const hash = createHash('sha256');
  let size = 0;
  let waiting: Buffer[] = [];
  const write = async () => {
    await writeWhole(file, waiting);
    waiting.forEach(releaseMemory);
    waiting = [];
  };
  for await (const some of parts()) {
    for (const part of some) {
      hash.update(part);
      size += part.length;
    }
    waiting.push(...some);
    if (waiting.length < 8) continue;
    await write();
  }
  if (waiting.length > 0) await write();
  return { size, sha256: hash.digest('hex') };
}
