/** Each writer adds separate pieces, and the upload's row lists those that count, so concurrent writers never mix bytes. */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/** An upload's row: the pieces that hold its first `received` bytes. */
export type Counted = { id: string; received: number; pieces: readonly string[] };

export type PartialFile = {
  write(bytes: Uint8Array): Promise<void>;
  /** Makes the written bytes durable. @returns all pieces, to be recorded in the row */
  sync(): Promise<string[]>;
  /** Discards what was not synced. */
  close(): Promise<void>;
};

export type Partials = {
  open(upload: Counted): Promise<PartialFile>;
  /** Whether all recorded pieces still exist. @param which `last` is enough to continue writing */
  isThere(upload: Counted, which?: 'all' | 'last'): Promise<boolean>;
  read(upload: Counted): Promise<Readable>;
  /** Removes all pieces, also unrecorded ones; does nothing if there are none. */
  remove(id: string): Promise<void>;
  ids(): Promise<Set<string>>;
  /** Free bytes of the backend. */
  room(): Promise<number>;
};

/** A unique name. @param from offset of the piece in the upload */
export const newPiece = (from: number): string => `${String(from).padStart(16, '0')}-${randomBytes(8).toString('hex')}`;

export const newSealedPiece = (from: number): string => `${newPiece(from)}-sealed`;

const pieceForm = /^(\d{16})-[\da-f]{16}(-sealed)?$/;

/** Whether plaintext in its place is damage. */
export const isSealedPiece = (piece: string): boolean => piece.endsWith('-sealed');

/** Each piece's offset in the upload and its number of counted bytes. */
export function rangesOf({ received, pieces }: Counted): { piece: string; from: number; length: number }[] {
  const offsets = pieces.map((piece) => {
    const from = Number(pieceForm.exec(piece)?.[1] ?? Number.NaN);
    if (Number.isNaN(from)) throw new TypeError(`${JSON.stringify(piece)} is no piece of an upload`);
    return { piece, from };
  });
  return offsets.map(({ piece, from }, index) => ({
    piece,
    from,
    length: (offsets[index + 1]?.from ?? received) - from,
  }));
}
