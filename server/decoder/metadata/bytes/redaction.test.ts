import fc from 'fast-check';
import t from 'tap';
import type { Redaction } from '../../../../drizzle/schema.ts';
import { patchesOf, redactBytes, redactStream } from './redaction.ts';

/** Spans built from gaps and contents, so that they are sorted and disjoint. */
const spans = fc
  .array(
    fc.record({
      gap: fc.nat(20),
      content: fc.uint8Array({ minLength: 1, maxLength: 30 }),
      fill: fc.option(fc.nat(255), { nil: undefined }),
    }),
    { maxLength: 12 },
  )
  .map((parts) => {
    let at = 0;
    return parts.map(({ gap, content, fill }): Redaction[number] => {
      const from = at + gap;
      at = from + content.length;
      return fill === undefined
        ? { at: from, bytes: Buffer.from(content).toString('base64') }
        : { at: from, length: content.length, fill };
    });
  });

/** The reference implementation, byte by byte. */
function expected(file: Buffer, redaction: Redaction): Buffer {
  const copy = Buffer.from(file);
  for (const span of redaction) {
    const bytes = 'fill' in span ? Buffer.alloc(span.length, span.fill) : Buffer.from(span.bytes, 'base64');
    bytes.forEach((byte, index) => {
      if (span.at + index < copy.length) copy[span.at + index] = byte;
    });
  }
  return copy;
}

function chunksOf(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let from = 0;
  for (let turn = 0; from < bytes.length; turn += 1) {
    const to = from + (sizes[turn % sizes.length] ?? 1);
    chunks.push(bytes.subarray(from, to));
    from = to;
  }
  return chunks;
}

t.test('redacting any range in any chunks equals redacting the whole file', async () => {
  const file = fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes));
  const sizes = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(file, spans, sizes, fc.nat(400), fc.nat(400), (bytes, redaction, sizes, one, other) => {
      const from = Math.min(one, other, bytes.length);
      const to = Math.min(Math.max(one, other) + 1, bytes.length);
      const before = Buffer.from(bytes);
      const chunks = chunksOf(bytes.subarray(from, to), sizes);
      const patches = patchesOf(redaction);
      const wanted = expected(before, redaction).subarray(from, to);
      let at = from;
      const copies: Buffer[] = [];
      for (const chunk of chunks) {
        copies.push(redactBytes(chunk, at, patches));
        at += chunk.length;
      }
      if (!Buffer.concat(copies).equals(wanted) || !bytes.equals(before)) return false;
      at = from;
      for (const chunk of chunks) {
        redactStream(chunk, at, patches);
        at += chunk.length;
      }
      return bytes.subarray(from, to).equals(wanted);
    }),
  );
});

t.test('a chunk without redactions is not copied', (t) => {
  const chunk = Buffer.from('nothing here');
  t.equal(redactBytes(chunk, 0, patchesOf([{ at: 100, length: 5, fill: 0 }])), chunk);
  t.end();
});
