/** Where permanent bytes stand, by key. Keys are made by the server (`originals/3f/<id>.jpg`); a client's name never becomes one. */
import type { Readable } from 'node:stream';
import type { Seals } from './seals.ts';

/** The first parts of all keys. */
export const collections = ['originals', 'thumbnails', 'screens'] as const;

/** `partials` are what uploads in pieces are made of until they are whole. */
export type Collection = (typeof collections)[number] | 'partials';

const keyForm = new RegExp(
  `^(?:installation|(?:${[...collections, 'partials'].join('|')})/[\\w-]{1,64}/[\\w-]{1,64}\\.[a-z0-9]{1,16})$`,
);

/** Whether a text may become a path: one of `<collection>/<folder>/<name>.<extension>`, or the storage's mark. */
export const isKey = (text: string): boolean => keyForm.test(text);

/** First and last byte, both included. */
export type ByteRange = { start: number; end: number };

/** What is known of stored bytes without reading them. `version` changes whenever they are written anew. */
export type Stored = {
  size: number;
  version: string;
  /** Hex, of the bytes as they stand there, where the place tells it without reading them. */
  sha256?: string;
};

/** A file held open for reading: what it is stays what it was when it was opened, also once another stands in its place. */
export type OpenFile = Stored & {
  /** Where the bytes stand as they are in a file of this machine: its descriptor, by which another thread may read them until it is closed. */
  descriptor?: number;
  /** Fills the buffer with the bytes from `at` on. @returns how many: fewer only where the file ends */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Bytes from `at` on, some of them, none where the file ends: where they come to stand in new memory anyway. */
  lend?(at: number): Promise<LeasedBuffer>;
  close(): Promise<void>;
};

/** Memory that serves others, or is freed, when it is given back, once: by then nothing may look at it any more. What is not given back is lost. */
export type LeasedBuffer = { bytes: Buffer; giveBack(): void };

export type PatchFile = Pick<OpenFile, 'size' | 'read' | 'close'> & {
  /** On the disk when it resolves. */
  write(bytes: Uint8Array, at: number): Promise<void>;
};

/** What a link to the bytes says of them, and for how many seconds it is good. */
export type LinkedAs = { contentType: string; disposition: string; seconds: number };

/** One of those that stand there; `size` is that of its bytes as they are read. */
export type Listed = { key: string; size: number; modified: Date };

/**
 * One kind of place: a folder, a bucket, or one of these sealed. Every method throws NoSpace or StorageUnavailable
 * (errors.ts) where the place itself fails, and StorageUnavailable where it is not this installation's any more: so
 * nothing is said to be absent because its disk was unmounted. A text that is no key is a TypeError.
 */
export type ObjectStore = {
  /** Makes a local file permanent under the key, over what stood there; the file may be gone afterwards. */
  commit(file: { path: string; size: number; sha256: string }, key: string): Promise<void>;
  /** Writes small bytes as durably as `commit` does. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Answers undefined where nothing stands under the key.
   * @param sealed whether plain bytes under the key are damage, because its row says that they are sealed
   */
  read(key: string, range?: ByteRange, sealed?: boolean): Promise<Readable | undefined>;
  /**
   * For reading piece by piece; to be closed. Answers undefined where nothing stands under the key.
   * @param part all that will be read of it, where that is known: of the rest nothing has to be brought
   * @param sealed as of `read`: then a plain file opens as one of no bytes
   */
  open(key: string, part?: ByteRange, sealed?: boolean): Promise<OpenFile | undefined>;
  /**
   * Answers undefined where nothing stands under the key.
   * @param sealed as of `read`
   */
  stat(key: string, sealed?: boolean): Promise<Stored | undefined>;
  /** Gone for good when it resolves. Does nothing where nothing stands under the key. */
  remove(key: string): Promise<void>;
  /**
   * All that stand there while it is read, in no order; what comes or goes meanwhile may show or not.
   * @param folder the second part of the keys, where only those are wanted
   */
  list(collection: Collection, folder?: string): AsyncGenerator<Listed>;
  /** Whether it is there and this installation's. */
  isHealthy(): Promise<boolean>;
  /** Where the bytes stand as they are in files of this machine: the key's path, also of one under which nothing stands. */
  localPath?(key: string): string;
  /** What stands under the key, for writing over a few of its bytes in its place; to be closed. Only where that can be. */
  patch?(key: string): Promise<PatchFile | undefined>;
  /** Of sealed objects, the work on their seals. */
  readonly sealing?: Seals;
  /** Where the bytes can be read as they are by whoever has a link: one to them. */
  link?(key: string, as: LinkedAs): Promise<string>;
  /** No method is called afterwards. */
  close(): Promise<void>;
};
