/**
 * Files that come in pieces, over several calls and several lives of the server: each grows under its own id, in a place
 * that belongs to no process, until it is taken whole or dropped.
 */
import type { Readable } from 'node:stream';

/** One of them, open for writing. */
export type PartialFile = {
  write(bytes: Uint8Array, at: number): Promise<void>;
  /** What was written is there after a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
};

/** Every method throws as those of the storage do. */
export type Partials = {
  /** Makes it where it is not there yet. */
  open(id: string): Promise<PartialFile>;
  /** Bytes; 0 where there is none. */
  size(id: string): Promise<number>;
  read(id: string): Promise<Readable>;
  /** Does nothing where there is none. */
  remove(id: string): Promise<void>;
  /** All that there are. */
  ids(): Promise<string[]>;
  /** Bytes that the place has left. */
  room(): Promise<number>;
};
