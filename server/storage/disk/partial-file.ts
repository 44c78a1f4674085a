import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder, writeWholeAt } from '../durable.ts';
import { guarded } from '../failures.ts';
import { type Counted, newPiece, type PartialFile } from '../partials.ts';

/** Creates its file with the first byte and deletes it unless synced. @param parent the folder of all uploads */
export function createPartialFile(parent: string, folder: string, { received, pieces }: Counted): PartialFile {
  const own = newPiece(received);
  const path = join(folder, `${own}.part`);
  let file: FileHandle | undefined;
  let offset = 0;
  let isSynced = false;

  async function create(): Promise<FileHandle> {
    await makeFolder(parent);
    await makeFolder(folder);
    return open(path, 'wx', 0o600);
  }

  async function write(bytes: Uint8Array): Promise<void> {
    file ??= await create();
    await writeWholeAt(file, bytes, offset);
    offset += bytes.length;
  }

  async function sync(): Promise<string[]> {
    if (!file) return [...pieces];
    await file.datasync();
    if (!isSynced) await syncFolder(folder);
    isSynced = true;
    return [...pieces, own];
  }

  async function close(): Promise<void> {
    await file?.close();
    if (file && !isSynced) await rm(path, { force: true });
  }

  return { write: (bytes) => guarded(() => write(bytes)), sync: () => guarded(sync), close: () => guarded(close) };
}
