import type { ObjectStore, OpenFile } from '../../object-store.ts';
import { BEGINNING } from '../open-sealed.ts';

/** Bytes per read. */
export const chunkSize = 2 ** 20;

export async function beginningOf(file: Pick<OpenFile, 'read'>): Promise<Buffer> {
  const into = Buffer.alloc(BEGINNING);
  return into.subarray(0, await file.read(into, 0));
}

/** The beginning of an object, without a longer response to cut off. Undefined if there is no object. */
export async function beginningAt(key: string, { open }: Pick<ObjectStore, 'open'>): Promise<Buffer | undefined> {
  const file = await open(key, { start: 0, end: BEGINNING - 1 });
  return file && beginningOf(file).finally(() => file.close());
}

/** Reads sequentially, so that a bucket needs one request. @param begins the bytes already read, up to `from` */
export async function* bytesOf(file: OpenFile, begins: Buffer, from = begins.length): AsyncGenerator<Buffer> {
  if (begins.length > 0) yield begins;
  for (let offset = from; offset < file.size; ) {
    const into = Buffer.allocUnsafe(Math.min(chunkSize, file.size - offset));
    const length = await file.read(into, offset);
    if (length === 0) return;
    yield into.subarray(0, length);
    offset += length;
  }
}
