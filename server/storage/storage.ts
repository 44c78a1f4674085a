/** What the features see of the storage: local staging, objects (objects.ts) and uploads in pieces, put together. */
import type { Readable } from 'node:stream';
import type { ByteRange, LinkedAs, OpenFile, Stored } from './object-store.ts';
import type { Partials } from './partials.ts';
import type { Seals } from './seals.ts';

/** A file received but not yet part of the collection. It is gone after `commit` or `discard`. */
export type Staged = {
  /** A local file, for the decoder to read. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
};

export type LocalFile = {
  /** Nothing may stand there. */
  path: string;
  /** Of the file, in hex, if reading it revealed it; '' if there is no file, because nothing can be opened. */
  sha256: string | undefined;
};

/**
 * Every method throws NoSpace or StorageUnavailable (errors.ts) where the storage itself fails, and StorageUnavailable
 * where it is not the one that belongs to this installation any more, as when its disk was unmounted.
 */
export type Storage = {
  /**
   * Writes a stream to a staging file, which may be read at once. Errors of the source itself pass through; then nothing
   * is left.
   */
  stage(source: Readable): Promise<Staged>;
  discard(staged: Staged): Promise<void>;
  /** Makes a staged file permanent. */
  commit(staged: Staged, key: string): Promise<void>;
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
  /**
   * With a local file of what stands under the key, for the decoder to read; it may be gone when `work` has ended.
   * @param sealed as of `read`: then there is no file where it is plain
   */
  withLocalFile<T>(key: string, work: (file: LocalFile) => Promise<T>, sealed?: boolean): Promise<T>;
  /** A link to the bytes themselves, where they can be had by one. Nothing may stand under the key. */
  link?(key: string, as: LinkedAs): Promise<string>;
  /** Gone for good when it resolves. Does nothing where nothing stands under the key. */
  remove(key: string): Promise<void>;
  /** Removes what processes that live no more left staged. */
  sweep(isAlive: (process: bigint) => Promise<boolean>): Promise<void>;
  /** Whether it is the right one, and a byte can be written now. */
  isHealthy(): Promise<boolean>;
  /** Where a key is given, the work on what stands there sealed. */
  readonly sealing?: Seals | undefined;
  /** Files that come in pieces, before they are staged. */
  readonly partials: Partials;
  /** Removes what this process has staged; what came in pieces stays. */
  close(): Promise<void>;
};

/** Whether what is written there is sealed. */
export const seals = ({ sealing }: Pick<Storage, 'sealing'>): boolean => sealing?.keyring.present !== undefined;
