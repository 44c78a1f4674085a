/**
 * Files that come in pieces, over several calls, several lives of the server and several servers: each grows under its own
 * id, in a place that belongs to no process, until it is taken whole or dropped. Who writes to one writes pieces of his
 * own, and the upload's row says which of them count (ingest/tus/queries.ts): what two wrote at once can never be mixed.
 */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/** An upload as far as its row tells: the pieces in which its first `received` bytes stand. */
export type Counted = { id: string; received: number; pieces: readonly string[] };

/** One of them, open for writing on from where its row says it ends. */
export type PartialFile = {
  write(bytes: Uint8Array): Promise<void>;
  /** What was written is there after a power cut. @returns the pieces in which all of it stands, to be counted in the row */
  sync(): Promise<string[]>;
  /** What was not synced is lost. */
  close(): Promise<void>;
};

/** Every method throws as those of the storage do. */
export type Partials = {
  open(upload: Counted): Promise<PartialFile>;
  /**
   * Whether all that its row counts is still there.
   * @param which who only goes on writing need not ask for more than the last of it
   */
  isThere(upload: Counted, which?: 'all' | 'last'): Promise<boolean>;
  /** All that its row counts. */
  read(upload: Counted): Promise<Readable>;
  /** All pieces, those that nobody counted too. Does nothing where there is none. */
  remove(id: string): Promise<void>;
  /** Ids of all that there are. */
  ids(): Promise<Set<string>>;
  /** Bytes that the place has left. */
  room(): Promise<number>;
};

/** No two writers choose the same. @param from bytes of the upload before it */
export const newPiece = (from: number): string => `${String(from).padStart(16, '0')}-${randomBytes(8).toString('hex')}`;

/** The same for one whose bytes are sealed where they are stored: the upload's row has the name, and so says it. */
export const newSealedPiece = (from: number): string => `${newPiece(from)}-sealed`;

const pieceForm = /^(\d{16})-[\da-f]{16}(-sealed)?$/;

/** Whether plain bytes in its place are damage. */
export const isSealedPiece = (piece: string): boolean => piece.endsWith('-sealed');

/** Of each piece, where it begins in the upload, and how many of its bytes count. */
export function placesOf({ received, pieces }: Counted): { piece: string; from: number; length: number }[] {
  const places = pieces.map((piece) => {
    const from = Number(pieceForm.exec(piece)?.[1] ?? Number.NaN);
    if (Number.isNaN(from)) throw new TypeError(`${JSON.stringify(piece)} is no piece of an upload`);
    return { piece, from };
  });
  return places.map(({ piece, from }, index) => ({
    piece,
    from,
    length: (places[index + 1]?.from ?? received) - from,
  }));
}
