/** Covering up places and serial numbers while a stored original streams out by its public link. */
import { pipeline, type Readable, Transform } from 'node:stream';
import type { Redaction } from '../../drizzle/schema.ts';

/** A run of bytes that stands in for as many of the file's, from `at` on: `bytes`, or one value repeated. */
export type Patch = { at: number; length: number; bytes: Buffer | undefined; fill: number };

/** The stored form unpacked: its order is kept. */
export function patchesOf(redaction: Redaction): Patch[] {
  return redaction.map((span) => {
    if ('fill' in span) return { at: span.at, length: span.length, bytes: undefined, fill: span.fill };
    const bytes = Buffer.from(span.bytes, 'base64');
    return { at: span.at, length: bytes.length, bytes, fill: 0 };
  });
}

/** Where the first patch stands that ends after a position. */
export function firstAfter(patches: readonly Patch[], position: number): number {
  let low = 0;
  let high = patches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const patch = patches[middle];
    if (patch !== undefined && patch.at + patch.length <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A chunk of the file, with what is to be covered up replaced; the chunk itself where nothing of it is.
 * @param at where the chunk begins in the file
 * @param patches sorted, without overlap
 */
export function coverUp(chunk: Buffer, at: number, patches: readonly Patch[]): Buffer {
  let covered = chunk;
  for (let index = firstAfter(patches, at); index < patches.length; index += 1) {
    const patch = patches[index];
    if (patch === undefined || patch.at >= at + chunk.length) break;
    if (covered === chunk) covered = Buffer.from(chunk); // whoever handed it in may still look at it
    const from = Math.max(patch.at, at);
    const to = Math.min(patch.at + patch.length, at + chunk.length);
    if (patch.bytes === undefined) covered.fill(patch.fill, from - at, to - at);
    else patch.bytes.copy(covered, from - at, from - patch.at, to - patch.at);
  }
  return covered;
}

/** The bytes that pass through are a file's from `start` on. As many come out as go in, chunk by chunk. */
export function applyRedaction(redaction: Redaction, start = 0): Transform {
  const patches = patchesOf(redaction);
  let position = start;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const covered = coverUp(chunk, position, patches);
      position += chunk.length;
      done(null, covered);
    },
  });
}

/**
 * A file's bytes from `start` on, covered up. An error of the source is the result's too; destroying the result closes
 * the source.
 */
export function redacted(source: Readable, redaction: Redaction, start = 0): Transform {
  return pipeline(source, applyRedaction(redaction, start), () => {});
}
