import type { Redaction } from '../../../../drizzle/schema.ts';

/** Replaces `length` bytes from `at` on: with `bytes`, or with one repeated value. */
export type Patch = { at: number; length: number; bytes: Buffer | undefined; fill: number };

export function patchesOf(redaction: Redaction): Patch[] {
  return redaction.map((span) => {
    if ('fill' in span) return { at: span.at, length: span.length, bytes: undefined, fill: span.fill };
    const bytes = Buffer.from(span.bytes, 'base64');
    return { at: span.at, length: bytes.length, bytes, fill: 0 };
  });
}

/** The index of the first patch that ends after a position. */
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

/** Redacts a chunk in place. @param at its offset in the file @param patches sorted, without overlap */
export function redactStream(chunk: Buffer, at: number, patches: readonly Patch[]): void {
  for (let index = firstAfter(patches, at); index < patches.length; index += 1) {
    const patch = patches[index];
    if (patch === undefined || patch.at >= at + chunk.length) break;
    const from = Math.max(patch.at, at);
    const to = Math.min(patch.at + patch.length, at + chunk.length);
    if (patch.bytes === undefined) chunk.fill(patch.fill, from - at, to - at);
    else patch.bytes.copy(chunk, from - at, from - patch.at, to - patch.at);
  }
}

/** Redacts a copy of the chunk; returns the chunk itself if nothing in it is redacted. */
export function redactBytes(chunk: Buffer, at: number, patches: readonly Patch[]): Buffer {
  const first = patches[firstAfter(patches, at)];
  if (first === undefined || first.at >= at + chunk.length) return chunk;
  const redacted = Buffer.from(chunk);
  redactStream(redacted, at, patches);
  return redacted;
}
