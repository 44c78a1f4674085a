import type { Redaction } from '../../../../drizzle/schema.ts';
import type { FileBytes } from '../../core/file-bytes.ts';
import { MAX_PATCHED, MAX_PATCHES } from '../../core/limits.ts';
import { firstAfter, type Patch, redactBytes } from './redaction.ts';

/** Bytes that may be read per file: hostile structures refer to the same bytes again and again. */
const maxRead = (file: FileBytes) => 64 * 1024 * 1024 + 8 * file.length;
/** The minimum cost of a read. */
const LOOK = 256;

/** Collects replacements while a file is read. Later ones override earlier ones. */
export type Redactor = {
  /** The file as it will be served; reflects all replacements so far. */
  readonly bytes: FileBytes;
  changes(): number;
  put(at: number, bytes: Buffer): void;
  blank(from: number, to: number, fill?: number): void;
  finish(): Redaction;
};

/** @throws RangeError in its methods if there are too many patches or reads */
export function createRedactor(file: FileBytes): Redactor {
  const patches: Patch[] = [];
  let changes = 0;
  const bytes = redactedBytes(file, patches);

  function add(patch: Patch): void {
    const end = patch.at + patch.length;
    const first = firstAfter(patches, patch.at);
    const around: Patch[] = [];
    let next = first;
    for (; next < patches.length; next += 1) {
      const old = patches[next];
      if (old === undefined || old.at >= end) break;
      if (old.at < patch.at) around.push(cut(old, old.at, patch.at));
    }
    around.push(patch);
    const last = patches[next - 1];
    if (next > first && last !== undefined && last.at + last.length > end)
      around.push(cut(last, end, last.at + last.length));
    patches.splice(first, next - first, ...around);
    if (patches.length > MAX_PATCHES) throw new RangeError('too many traces');
    changes += 1;
  }

  return {
    bytes,
    changes: () => changes,
    put(at, content) {
      const length = Math.min(content.length, file.length - at);
      const now = bytes.part(at, at + length);
      const from = firstDifference(now, content);
      if (from >= length) return;
      let to = length;
      while (now[to - 1] === content[to - 1]) to -= 1;
      add({ at: at + from, length: to - from, bytes: Buffer.from(content.subarray(from, to)), fill: 0 });
    },
    blank(from, to, fill = 0) {
      const end = Math.min(to, file.length);
      if (end > from && !isFilled(bytes, from, end, fill))
        add({ at: from, length: end - from, bytes: undefined, fill });
    },
    finish() {
      const spans = patches.filter((patch) => !standsThere(file, patch));
      if (spans.reduce((sum, span) => sum + (span.bytes?.length ?? 0), 0) > MAX_PATCHED) {
        throw new RangeError('too many traces');
      }
      return spans.map(({ at, length, fill, bytes }) =>
        bytes === undefined ? { at, length, fill } : { at, bytes: bytes.toString('base64') },
      );
    },
  };
}

function cut({ at, bytes, fill }: Patch, from: number, to: number): Patch {
  return { at: from, length: to - from, bytes: bytes?.subarray(from - at, to - at), fill };
}

function firstDifference(one: Buffer, other: Buffer): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function isFilled(file: FileBytes, from: number, to: number, fill: number): boolean {
  for (const piece of file.pieces(from, to)) {
    if (!piece.every((byte) => byte === fill)) return false;
  }
  return true;
}

const standsThere = (file: FileBytes, { at, length, bytes, fill }: Patch) =>
  bytes === undefined ? isFilled(file, at, at + length, fill) : file.part(at, at + length).equals(bytes);

function redactedBytes(file: FileBytes, patches: readonly Patch[]): FileBytes {
  let left = maxRead(file);
  function spend(count: number): void {
    left -= count + LOOK;
    if (left < 0) throw new RangeError('too much to follow');
  }
  function part(from: number, to: number): Buffer {
    spend(Math.max(0, Math.min(to, file.length) - from));
    return redactBytes(file.part(from, to), from, patches);
  }
  function* pieces(from: number, to: number) {
    let position = from;
    for (const piece of file.pieces(from, to)) {
      spend(piece.length);
      yield redactBytes(piece, position, patches);
      position += piece.length;
    }
  }
  function indexOf(byte: number, from: number): number {
    let position = from;
    for (const piece of pieces(from, file.length)) {
      const found = piece.indexOf(byte);
      if (found >= 0) return position + found;
      position += piece.length;
    }
    return -1;
  }
  return {
    path: file.path,
    length: file.length,
    at: (position) => part(position, position + 1)[0],
    part,
    text: (from, to) => part(from, to).toString('latin1'),
    indexOf,
    pieces,
    close: () => file.close(),
  };
}
