import type { Readable } from 'node:stream';
import type { ByteRange, LinkedAs, OpenFile, Stored } from './object-store.ts';
import type { Partials } from './partials.ts';
import type { Seals } from './seals.ts';

/** A received file that is not stored yet. It no longer exists after `commit` or `discard`. */
export type Staged = {
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

/** Methods throw NoSpace or StorageUnavailable (errors.ts) if the storage fails or belongs to another installation. */
export type Storage = {
  /** Writes a stream to a staging file. If the source fails, its error passes through and the file is removed. */
  stage(source: Readable): Promise<Staged>;
  discard(staged: Staged): Promise<void>;
  commit(staged: Staged, key: string): Promise<void>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  read(key: string, range?: ByteRange, sealed?: boolean): Promise<Readable | undefined>;
  open(key: string, part?: ByteRange, sealed?: boolean): Promise<OpenFile | undefined>;
  stat(key: string, sealed?: boolean): Promise<Stored | undefined>;
  /** Provides a local file for the decoder, deleted afterwards. @param sealed as for `read`: no file if plain */
  withLocalFile<T>(key: string, work: (file: LocalFile) => Promise<T>, sealed?: boolean): Promise<T>;
  /** A presigned link to the bytes, if the backend supports it. The object may be missing. */
  link?(key: string, as: LinkedAs): Promise<string>;
  remove(key: string): Promise<void>;
  sweep(isAlive: (process: bigint) => Promise<boolean>): Promise<void>;
  /** Whether the storage belongs to this installation and can be written to now. */
  isHealthy(): Promise<boolean>;
  readonly sealing?: Seals | undefined;
  readonly partials: Partials;
  /** Removes this process's staging files; resumable uploads stay. */
  close(): Promise<void>;
};

export const seals = ({ sealing }: Pick<Storage, 'sealing'>): boolean => sealing?.keyring.present !== undefined;
