/**
 * What is told of a chosen file. The browser looks on the disk each time that a file's size or date is read; of thousands that
 * takes seconds, so each is read once.
 */
interface Facts {
  readonly size: number;
  readonly identity: string;
}

const known = new WeakMap<File, Facts>();

function factsOf(file: File): Facts {
  const facts = known.get(file);
  if (facts !== undefined) return facts;
  const { size } = file;
  const read = { size, identity: `${size}/${file.lastModified}/${file.name}` };
  known.set(file, read);
  return read;
}

/** Bytes. */
export const sizeOf = (file: File): number => factsOf(file).size;

/** Its name, size and date: what has the same is taken for the same file. */
export const identityOf = (file: File): string => factsOf(file).identity;

const AT_ONCE = 50;

/** Reads what is told of many files bit by bit, so that the page answers meanwhile. @yields the next that are known by now */
export async function* readBitByBit(files: readonly File[]): AsyncGenerator<readonly File[]> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    for (const file of some) factsOf(file);
    yield some;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
