/** File operations that survive a power cut: both the bytes and the names are synced. */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS journals names.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  await syncFolder(dirname(path));
}

/** Writes all chunks. A nearly full disk may accept a part and report the error only for the rest. */
export async function writeWhole(file: FileHandle, chunks: Buffer[]): Promise<void> {
  let { bytesWritten } = await file.writev(chunks);
  for (const chunk of chunks) {
    if (bytesWritten < chunk.length) await file.writeFile(chunk.subarray(bytesWritten));
    bytesWritten = Math.max(0, bytesWritten - chunk.length);
  }
}

/** Writes all bytes at a position. */
export async function writeWholeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}

/** Chunks of one write: a client may send single bytes. */
const maxChunks = 256;

/**
 * Writes a stream to a file. The next chunks are hashed and gathered during a write.
 * @param writeSize bytes gathered for one write: each call costs processor time, whatever its size. Twice as much is in memory
 */
export async function writeMeasured(
  source: Readable,
  file: FileHandle,
  writeSize = 2 ** 18,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  let gathered: Buffer[] = [];
  let waiting = 0;
  let written = Promise.resolve();

  async function write(): Promise<void> {
    await written;
    written = writeWhole(file, gathered);
    // Reported by the next write.
    written.catch(() => undefined);
    gathered = [];
    waiting = 0;
  }

  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk);
      gathered.push(chunk);
      size += chunk.length;
      waiting += chunk.length;
      if (waiting >= writeSize || gathered.length >= maxChunks) await write();
    }
    if (waiting > 0) await write();
  } finally {
    await written;
  }
  return { size, sha256: hash.digest('hex') };
}
