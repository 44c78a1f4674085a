/** Info about a chosen file, read once: each access of size or date reads the disk, which takes seconds for thousands of files. */
interface FileInfo {
  readonly size: number;
  readonly identity: string;
}

const known = new WeakMap<File, FileInfo>();

function infoOf(file: File): FileInfo {
  const info = known.get(file);
  if (info !== undefined) return info;
  const { size } = file;
  const read = { size, identity: `${size}/${file.lastModified}/${file.name}` };
  known.set(file, read);
  return read;
}

/** Bytes. */
export const sizeOf = (file: File): number => infoOf(file).size;

/** Size, date and name: files with equal values count as the same file. */
export const identityOf = (file: File): string => infoOf(file).identity;

const AT_ONCE = 50;

/** Reads the info of many files in batches, which keeps the page responsive. @yields the next batch read */
export async function* readInBatches(files: readonly File[]): AsyncGenerator<readonly File[]> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    for (const file of some) infoOf(file);
    yield some;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
