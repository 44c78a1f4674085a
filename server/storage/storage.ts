/** Where bytes live. Keys are made by the server (`originals/3f/<id>.jpg`); a client's name never becomes one. */
import type { Readable } from 'node:stream';
import type { Partials } from './partials.ts';

/** The first parts of all keys. */
export const collections = ['originals', 'thumbnails', 'screens'] as const;

const keyForm = new RegExp(
  `^(?:installation|(?:${collections.join('|')})/[\\w-]{1,64}/[\\w-]{1,64}\\.[a-z0-9]{1,16})$`,
);

/** Whether a text may become a path: one of `<collection>/<folder>/<name>.<extension>`, or the storage's mark. */
export const isKey = (text: string): boolean => keyForm.test(text);

/** A file received but not yet part of the collection. It is gone after `keep` or `discard`. */
export type Staged = {
  /** A local file, for the decoder to read. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
};

/** First and last byte, both included. */
export type ByteRange = { start: number; end: number };

/** What is known of stored bytes without reading them. `version` changes whenever they are written anew. */
export type Stored = { size: number; version: string };

/** A file held open for reading: what it is stays what it was when it was opened, also once another stands in its place. */
export type OpenFile = Stored & {
  /** Fills the buffer with the bytes from `at` on. @returns how many: fewer only where the file ends */
  read(into: Uint8Array, at: number): Promise<number>;
  close(): Promise<void>;
};

/**
 * Every method throws NoSpace or StorageUnavailable (errors.ts) where the storage itself fails, and StorageUnavailable
 * where it is not the one that belongs to this installation any more, as when its disk was unmounted.
 */
export type Storage = {
  /**
   * Writes a stream to a staging file, which may be read at once and is synced meanwhile. Errors of the source itself pass
   * through; then nothing is left.
   */
  stage(source: Readable): Promise<Staged>;
  discard(staged: Staged): Promise<void>;
  /** Makes a staged file permanent: synced, renamed into place, its folder synced. */
  keep(staged: Staged, key: string): Promise<void>;
  /** Writes small bytes as durably as `keep` does. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Answers undefined where nothing stands under the key. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** For reading piece by piece; to be closed. Answers undefined where nothing stands under the key. */
  open(key: string): Promise<OpenFile | undefined>;
  /** Answers undefined where nothing stands under the key. */
  stat(key: string): Promise<Stored | undefined>;
  /** The path of a local file with what stands under the key, for the decoder to read; none may stand there. */
  localPath(key: string): string;
  /** Gone for good when it resolves, its folder synced. Does nothing where nothing stands under the key. */
  remove(key: string): Promise<void>;
  /** Removes what processes that live no more left staged. */
  sweep(isAlive: (process: bigint) => Promise<boolean>): Promise<void>;
  /** Whether it is the right one, and a byte can be written now. */
  answers(): Promise<boolean>;
  /** Files that come in pieces, before they are staged. */
  readonly partials: Partials;
  /** Removes what this process has staged; what came in pieces stays. */
  close(): Promise<void>;
};
