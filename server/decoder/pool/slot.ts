import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { SNIFFED } from '../formats/sniff.ts';

/**
 * A copy of the picture: a compromised decoder could reopen an original's descriptor for writing through /proc. Between
 * pictures it is open read-only and keeps its name; otherwise Linux would refuse to remount the disk read-only.
 */
export type Slot = {
  /** Read-only; the decoder inherits it as `SLOT_DESCRIPTOR`. */
  readonly descriptor: number;
  /** The calls take turns. @throws NodeJS.ErrnoException if the file cannot be read completely or the copy cannot be written */
  fill(path: string): Promise<Copied>;
  /** Frees its space before the next picture. */
  empty(): Promise<void>;
  close(): Promise<void>;
};

/** `head` holds the first bytes, as many as `sniff` reads. */
export type Copied = { size: number; head: Buffer };

export const SLOT_DESCRIPTOR = 4;

/** The path by which a decoder opens its slot; each open starts at the beginning. */
export const SLOT_PATH = `/proc/self/fd/${SLOT_DESCRIPTOR}`;

/** Other systems cannot reopen descriptors; their decoders get the path. */
export const hasSlots = process.platform === 'linux' && existsSync('/proc/self/fd');

const CHUNK = 1024 * 1024;

/** Bytes that a slot keeps allocated: reusing pages costs a third of new ones. */
const KEPT = 16 * CHUNK;

/** @param folder for the copy; created if its parent exists */
export async function openSlot(folder: string): Promise<Slot> {
  const { path, reader } = await openFile(folder);
  let chunk: Buffer | undefined;
  let held = 0;
  // `close` too: `openToWrite` uses the descriptor's number, which another file may have once it is closed.
  const inTurn = pLimit(1);

  async function copyFrom(picture: string): Promise<Copied> {
    chunk ??= Buffer.allocUnsafeSlow(CHUNK);
    const [source, writer] = await openBoth(picture);
    try {
      if (held > KEPT) await cut(writer, 0);
      const copied = await copyWhole(source, chunk, async (bytes, at) => {
        held = Math.max(held, at + bytes.length);
        await writeAll(writer, bytes, at);
      });
      // Remove the rest of a longer previous picture.
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

  // By descriptor: another server's sweep may have removed the path.
  const openToWrite = () => open(`/proc/self/fd/${reader.fd}`, 'r+');

  async function cut(writer: FileHandle, size: number): Promise<void> {
    await writer.truncate(size);
    held = size;
  }

  async function empty(): Promise<void> {
    const writer = await openToWrite();
    await cut(writer, 0).finally(() => writer.close());
  }

  async function close(): Promise<void> {
    await reader.close();
    await rm(path, { force: true });
  }

  return {
    descriptor: reader.fd,
    fill: (picture) => inTurn(copyFrom, picture),
    empty: () => inTurn(empty),
    close: () => inTurn(close),
  };
}

/** Copies a file up to its initial length, with short reads. @throws ErrnoException if the file ends earlier */
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
    // A decoder with another user reopens the file; its folder is inaccessible to others.
    await made.chmod(0o644);
    return { path, reader: await open(path, 'r') };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await made.close();
  }
}

/** A name that the staging's sweep skips while the process runs (storage/staging.ts). */
export const hiddenName = () => `.decoder-${randomUUID()}`;

/** Recreates the folder if another server considered this process dead and swept it. */
export async function openIn(folder: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(folder, { mode: 0o700 });
    return open(path, 'wx', 0o600);
  }
}
