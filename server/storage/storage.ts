import type { Readable } from 'node:stream';
import type { ByteRange, LinkedAs, OpenFile, Stored } from './object-store.ts';
import type { Partials } from './partials.ts';
import type { Seals } from './seals.ts';

/** A received file that is not stored yet. It no longer exists after `commit` or `discard`. */
export type Staged = {
  /** A local file that the decoder reads. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
};

export type LocalFile = {
  /** The file may be missing. */
  path: string;
  /** Hex, if reading the object computed it; '' if there is no file, because the object is missing or damaged. */
  sha256: string | undefined;
};

/**
 * Methods throw NoSpace or StorageUnavailable (errors.ts) if the storage fails. They also throw StorageUnavailable if
 * it no longer belongs to this installation, for instance because its disk was unmounted.
 */
export type Storage = {
  /** Writes a stream to a staging file. If the source fails, its error passes through and the file is removed. */
  stage(source: Readable): Promise<Staged>;
  discard(staged: Staged): Promise<void>;
  commit(staged: Staged, key: string): Promise<void>;
  /** Writes a few bytes, as durably as `commit`. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** As ObjectStore.read. */
  read(key: string, range?: ByteRange, sealed?: boolean): Promise<Readable | undefined>;
  /** As ObjectStore.open. */
  open(key: string, part?: ByteRange, sealed?: boolean): Promise<OpenFile | undefined>;
  /** As ObjectStore.stat. */
  stat(key: string, sealed?: boolean): Promise<Stored | undefined>;
  /**
   * Provides a local file with the object's bytes for the decoder; it may be deleted afterwards.
   * @param sealed as for `read`: there is then no file if the object is plain
   */
  withLocalFile<T>(key: string, work: (file: LocalFile) => Promise<T>, sealed?: boolean): Promise<T>;
  /** A presigned link to the bytes, if the backend supports it. The object may be missing. */
  link?(key: string, as: LinkedAs): Promise<string>;
  /** As ObjectStore.remove. */
  remove(key: string): Promise<void>;
  /** Removes stale staging files of dead processes. */
  sweep(isAlive: (process: bigint) => Promise<boolean>): Promise<void>;
  /** Whether the storage belongs to this installation and can be written to now. */
  isHealthy(): Promise<boolean>;
  /** On a sealed storage: seals, unseals and rewraps objects. */
  readonly sealing?: Seals | undefined;
  /** Resumable uploads, before they are staged. */
  readonly partials: Partials;
  /** Removes this process's staging files; resumable uploads stay. */
  close(): Promise<void>;
};

/** Whether new objects are sealed. */
export const seals = ({ sealing }: Pick<Storage, 'sealing'>): boolean => sealing?.keyring.present !== undefined;
