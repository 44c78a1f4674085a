import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { guarded } from '../failures.ts';
import type { OpenFile, Stored } from '../object-store.ts';

/** Every write creates a new file or changes these times; corruption on the disk changes none of them. */
export const storedAs = ({ ino, size, mtimeMs, ctimeMs }: Stats): Stored => ({
  size,
  version: [ino, size, mtimeMs, ctimeMs].join('-'),
});

async function fill(file: FileHandle, into: Uint8Array, at: number): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done, into.length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

export async function openForReading(file: FileHandle): Promise<OpenFile> {
  try {
    const stored = storedAs(await file.stat());
    return {
      ...stored,
      read: (into, at) => guarded(() => fill(file, into, at)),
      close: () => guarded(() => file.close()),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
