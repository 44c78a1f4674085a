import type { Readable } from 'node:stream';
import type { Seals } from './seals.ts';

export const collections = ['originals', 'thumbnails', 'screens'] as const;

/** `partials` holds the pieces of resumable uploads. */
export type Collection = (typeof collections)[number] | 'partials';

const keyForm = new RegExp(
  `^(?:installation|(?:${[...collections, 'partials'].join('|')})/[\\w-]{1,64}/[\\w-]{1,64}\\.[a-z0-9]{1,16})$`,
);

/** Whether the text is `<collection>/<folder>/<name>.<extension>` or the ownership marker's key. */
export const isKey = (text: string): boolean => keyForm.test(text);

/** First and last byte, inclusive. */
export type ByteRange = { start: number; end: number };

/** Metadata available without reading the bytes. `version` changes with every write. */
export type Stored = {
  size: number;
  version: string;
  /** Hex, of the stored bytes, if the backend provides it without reading them. */
  sha256?: string;
};

/** A file open for reading. It keeps its contents even if the object is replaced. */
export type OpenFile = Stored & {
  /** Fills the buffer from offset `at`. @returns the number of bytes: less only at the end of the file */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Leases some bytes from `at` on, none at the end; only for files whose reads need new memory anyway. */
  lease?(at: number): Promise<LeasedBuffer>;
  close(): Promise<void>;
};

/** A leased buffer. Return it exactly once and do not use it afterwards; a buffer that is not returned is lost. */
export type LeasedBuffer = { bytes: Buffer; release(): void };

export type PatchFile = Pick<OpenFile, 'size' | 'read' | 'close'> & {
  /** Resolves when the bytes are on the disk. */
  write(bytes: Uint8Array, at: number): Promise<void>;
};

/** Response headers of a presigned link, and its lifetime in seconds. */
export type LinkedAs = { contentType: string; disposition: string; seconds: number };

/** `size` is the size of the bytes as they are read. */
export type Listed = { key: string; size: number; modified: Date };

/**
 * Methods throw NoSpace or StorageUnavailable (errors.ts) if the backend fails or no longer belongs to this
 * installation: an unmounted disk never makes objects look absent. An invalid key is a TypeError.
 */
export type ObjectStore = {
  /** Replaces what is there; the file may be moved. */
  commit(file: { path: string; size: number; sha256: string }, key: string): Promise<void>;
  /** Writes a few bytes, as durably as `commit`. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Returns undefined if there is no object. @param sealed whether plaintext is damage, because the row says sealed */
  read(key: string, range?: ByteRange, sealed?: boolean): Promise<Readable | undefined>;
  /**
   * Opens an object for random access; the caller closes it. Returns undefined if there is no object.
   * @param part the only range that will be read, if known, so that the rest need not be fetched
   * @param sealed as for `read`: plaintext then opens as an empty file
   */
  open(key: string, part?: ByteRange, sealed?: boolean): Promise<OpenFile | undefined>;
  /** Returns undefined if there is no object. @param sealed as for `read` */
  stat(key: string, sealed?: boolean): Promise<Stored | undefined>;
  /** Resolves when the object is gone for good; does nothing if there is none. */
  remove(key: string): Promise<void>;
  /** Objects created or removed during the listing may be missing. @param folder lists only keys with this second part */
  list(collection: Collection, folder?: string): AsyncGenerator<Listed>;
  /** Whether the backend is available and belongs to this installation. */
  isHealthy(): Promise<boolean>;
  /** The path for the key, if objects are plain local files; the file need not exist. */
  localPath?(key: string): string;
  /** Undefined in backends that cannot overwrite bytes in place; the caller closes it. */
  patch?(key: string): Promise<PatchFile | undefined>;
  readonly sealing?: Seals;
  link?(key: string, as: LinkedAs): Promise<string>;
  close(): Promise<void>;
};
