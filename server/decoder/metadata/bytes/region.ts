import type { Span } from '../../core/file-bytes.ts';
import type { Redactor } from './redactor.ts';

/** Bytes combined from parts of a file, read and redacted like one contiguous run. */
export type Region = {
  readonly length: number;
  part(from: number, to: number): Buffer;
  /** Yields the bytes from `from` on without copying them; each piece is valid only until the next one. */
  pieces(from: number): Iterable<Buffer>;
  text(from: number, to: number): string;
  put(at: number, bytes: Buffer): void;
  blank(from?: number, to?: number, fill?: number): void;
  inner(from: number, to?: number): Region;
  readonly redactor: Redactor;
  readonly spans: readonly Span[];
};

export function regionOf(redactor: Redactor, spans: readonly Span[]): Region {
  const length = spans.reduce((sum, [from, to]) => sum + to - from, 0);

  /** Maps a part of the region to parts of the file. `at` is the position in the region. */
  function spansWithin(from: number, to: number): { from: number; to: number; at: number }[] {
    const parts: { from: number; to: number; at: number }[] = [];
    let at = 0;
    for (const [start, end] of spans) {
      const first = Math.max(from, at);
      const last = Math.min(to, at + end - start);
      if (last > first) parts.push({ from: start + first - at, to: start + last - at, at: first });
      at += end - start;
    }
    return parts;
  }

  function part(from: number, to: number): Buffer {
    const parts = spansWithin(Math.max(0, from), to).map((span) => redactor.bytes.part(span.from, span.to));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  function* pieces(from: number): Iterable<Buffer> {
    for (const span of spansWithin(from, length)) yield* redactor.bytes.pieces(span.from, span.to);
  }

  return {
    redactor,
    spans,
    length,
    part,
    pieces,
    text: (from, to) => part(from, to).toString('latin1'),
    put(at, bytes) {
      for (const span of spansWithin(at, at + bytes.length)) {
        redactor.put(span.from, bytes.subarray(span.at - at, span.at - at + span.to - span.from));
      }
    },
    blank(from = 0, to = length, fill = 0) {
      for (const span of spansWithin(from, to)) redactor.blank(span.from, span.to, fill);
    },
    inner: (from, to = length) =>
      regionOf(
        redactor,
        spansWithin(from, to).map((span): Span => [span.from, span.to]),
      ),
  };
}

/** Each read of a region visits all its parts; honest files have a few dozen. */
const MAX_PARTS = 1024;

export function together(regions: readonly Region[]): Region {
  const [first] = regions;
  if (first === undefined) throw new RangeError('nothing to put together');
  if (regions.length > MAX_PARTS) throw new RangeError('too many parts');
  return regionOf(
    first.redactor,
    regions.flatMap(({ spans }) => spans),
  );
}
