/** File operations that survive a power cut: both the bytes and the names are synced. */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

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

/** Bytes that may wait for the disk before the sender is paused. */
const waiting = 2 ** 18;

/** Writes all chunks. A nearly full disk may accept a part and report the error only for the rest. */
export async function writeWhole(file: FileHandle, chunks: Buffer[]): Promise<void> {
  let { bytesWritten } = await file.writev(chunks);
  for (const chunk of chunks) {
    if (bytesWritten < chunk.length) await file.writeFile(chunk.subarray(bytesWritten));
    bytesWritten = Math.max(0, bytesWritten - chunk.length);
  }
}

/** Writes a stream to a file. Chunks that arrive during a write share the next call, since calls are expensive. */
export async function writeMeasured(source: Readable, file: FileHandle): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const put = async (chunks: Buffer[]) => {
    const written = writeWhole(file, chunks);
    for (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
    }
    await written;
  };
  const sink = new Writable({
    highWaterMark: waiting,
    write: (chunk: Buffer, _encoding, done) => void put([chunk]).then(() => done(), done),
    writev: (chunks, done) => void put(chunks.map(({ chunk }) => chunk)).then(() => done(), done),
  });
  await pipeline(source, sink);
  return { size, sha256: hash.digest('hex') };
}
