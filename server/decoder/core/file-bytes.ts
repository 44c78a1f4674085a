import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Random access to a file without loading it whole, which could dominate the memory. */
export type FileBytes = {
  readonly path: string;
  readonly length: number;
  at(position: number): number | undefined;
  /** A copy of the bytes from `from` to `to`, fewer at the end of the file. */
  part(from: number, to: number): Buffer;
  text(from: number, to: number): string;
  indexOf(byte: number, from: number): number;
  /** Yields the bytes from `from` to `to` in pieces; each is valid only until the next one. */
  pieces(from: number, to: number): Iterable<Buffer>;
  close(): void;
};

const WINDOW = 64 * 1024;

/** Reads through one moving window. It may block: a decoder does nothing else meanwhile. @throws Error on a failed read */
export function openBytes(path: string): FileBytes {
  const file = openSync(path, 'r');
  const length = fstatSync(file).size;
  const window = Buffer.allocUnsafe(WINDOW);
  let start = 0;
  let held = 0;

  function view(position: number, wanted = 1): Buffer {
    if (position < start || position + Math.min(wanted, WINDOW) > start + held) {
      held = fill(window, position);
      start = position;
    }
    return window.subarray(position - start, held);
  }

  function fill(target: Buffer, position: number): number {
    let filled = 0;
    while (filled < target.length && position + filled < length) {
      const count = readSync(file, target, filled, target.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  function part(from: number, to: number): Buffer {
    const wanted = Math.max(0, Math.min(to, length) - from);
    if (wanted <= WINDOW) return Buffer.from(view(from, wanted).subarray(0, wanted));
    const copy = Buffer.allocUnsafeSlow(wanted);
    return copy.subarray(0, fill(copy, from));
  }

  function* pieces(from: number, to: number): Iterable<Buffer> {
    for (let position = from; position < Math.min(to, length); ) {
      const piece = view(position).subarray(0, to - position);
      if (piece.length === 0) return;
      yield piece;
      position += piece.length;
    }
  }

  function indexOf(byte: number, from: number): number {
    let position = from;
    for (const piece of pieces(from, length)) {
      const found = piece.indexOf(byte);
      if (found >= 0) return position + found;
      position += piece.length;
    }
    return -1;
  }

  return {
    path,
    length,
    at: (position) => view(position)[0],
    part,
    text: (from, to) => part(from, to).toString('latin1'),
    indexOf,
    pieces,
    close: () => closeSync(file),
  };
}

export type Span = [from: number, to: number];

/** Bytes of the file, and bytes that replace others. */
export function joined(bytes: FileBytes, parts: readonly (Span | Buffer)[]): Buffer {
  const lengthOf = (part: Span | Buffer) => (Buffer.isBuffer(part) ? part.length : part[1] - part[0]);
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + lengthOf(part), 0));
  let written = 0;
  for (const part of parts) {
    for (const piece of Buffer.isBuffer(part) ? [part] : bytes.pieces(...part)) written += piece.copy(whole, written);
  }
  return whole.subarray(0, written);
}
