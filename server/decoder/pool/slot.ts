import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SNIFFED } from '../formats/sniff.ts';

/**
 * A file whose bytes are the picture that a decoder is given. It holds a copy, so that a decoder that was taken over
 * never has a descriptor of an original, which /proc would let it open for writing. Between two pictures the server only
 * has it open for reading, and it keeps its name: otherwise Linux would not let the disk be remounted read-only.
 */
export type Slot = {
  /** Read-only; the decoder inherits it as `SLOT_DESCRIPTOR`. */
  readonly descriptor: number;
  /**
   * @throws NodeJS.ErrnoException where the file cannot be read whole, or its copy not be written
   */
  fill(path: string): Promise<Copied>;
  /** Gives its space back before the next picture comes. */
  empty(): Promise<void>;
  /** Frees its space once the decoder has ended. */
  close(): Promise<void>;
};

/** `head` holds as many of the first bytes as `sniff` looks at. */
export type Copied = { size: number; head: Buffer };

export const SLOT_DESCRIPTOR = 4;

/** The path by which a decoder opens its slot, as often as it likes, each time at the beginning. */
export const SLOT_PATH = `/proc/self/fd/${SLOT_DESCRIPTOR}`;

/** Elsewhere a descriptor cannot be opened again, and decoders are told the path. */
export const hasSlots = process.platform === 'linux' && existsSync('/proc/self/fd');

const CHUNK = 1024 * 1024;

/** Bytes of a picture whose space is kept for the next one: pages that are there already cost a third of new ones. */
const KEPT = 16 * CHUNK;

/** @param folder where it takes its space; made where only the last part of its path is missing */
export async function openSlot(folder: string): Promise<Slot> {
  const { path, reader } = await openFile(folder);
  let chunk: Buffer | undefined;
  let held = 0;

  async function fill(picture: string): Promise<Copied> {
    chunk ??= Buffer.allocUnsafeSlow(CHUNK);
    const [source, writer] = await openBoth(picture);
    try {
      if (held > KEPT) await cut(writer, 0);
      const copied = await copyWhole(source, chunk, async (bytes, at) => {
        held = Math.max(held, at + bytes.length);
        await writeAll(writer, bytes, at);
      });
      // Nothing of the picture before is behind the end of this one.
      if (held > copied.size) await cut(writer, copied.size);
      return copied;
    } finally {
      await writer.close();
      void source.close().catch(() => {});
    }
  }

  async function openBoth(picture: string): Promise<[FileHandle, FileHandle]> {
    const source = await open(picture, 'r');
    try {
      return [source, await openToWrite()];
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  // Not by its path: a sweep of another server may have removed that.
  const openToWrite = () => open(`/proc/self/fd/${reader.fd}`, 'r+');

  async function cut(writer: FileHandle, size: number): Promise<void> {
    await writer.truncate(size);
    held = size;
  }

  async function empty(): Promise<void> {
    const writer = await openToWrite();
    await cut(writer, 0).finally(() => writer.close());
  }

  return {
    descriptor: reader.fd,
    fill,
    empty,
    async close() {
      await reader.close();
      await rm(path, { force: true });
    },
  };
}

/**
 * Copies a file up to the length that it has at the beginning. A read may return less than it was asked for.
 * @throws NodeJS.ErrnoException where the file ends before that
 */
export async function copyWhole(
  source: Pick<FileHandle, 'read' | 'stat'>,
  chunk: Buffer,
  write: (bytes: Buffer, at: number) => Promise<void>,
): Promise<Copied> {
  const { size } = await source.stat();
  let head = Buffer.alloc(0);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, size - at), at);
    if (bytesRead === 0) throw Object.assign(new Error('the file became shorter'), { code: 'EIO', syscall: 'read' });
    const bytes = chunk.subarray(0, bytesRead);
    if (head.length < SNIFFED) head = Buffer.concat([head, bytes.subarray(0, SNIFFED - head.length)]);
    await write(bytes, at);
    at += bytesRead;
  }
  return { size, head };
}

async function writeAll(target: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await target.write(bytes, written, bytes.length - written, at + written);
    written += bytesWritten;
  }
}

async function openFile(folder: string): Promise<{ path: string; reader: FileHandle }> {
  const path = join(folder, hiddenName());
  const made = await openIn(folder, path);
  try {
    // A decoder may be another user, and opens it again. Its path is below a folder that others cannot enter.
    await made.chmod(0o644);
    return { path, reader: await open(path, 'r') };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await made.close();
  }
}

/** The staging's sweep passes over such names while their process lives (storage/staging.ts). */
export const hiddenName = () => `.decoder-${randomUUID()}`;

/** The folder may be gone: another server took this process for dead and swept it. */
export async function openIn(folder: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(folder, { mode: 0o700 });
    return open(path, 'wx', 0o600);
  }
}
