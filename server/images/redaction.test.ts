import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import t from 'tap';
import type { Redaction } from '../../drizzle/schema.ts';
import { applyRedaction, redacted } from './redaction.ts';

/** Spans by their gaps and contents, so that they are sorted and apart. */
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

/** Byte by byte, the slow and plain way. */
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

t.test('any range in any chunks is what the whole would hold there, and the source stays as it was', async () => {
  const file = fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes));
  const sizes = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(file, spans, sizes, fc.nat(400), fc.nat(400), async (bytes, redaction, sizes, one, other) => {
      const from = Math.min(one, other, bytes.length);
      const to = Math.min(Math.max(one, other) + 1, bytes.length);
      const before = Buffer.from(bytes);
      const chunks = chunksOf(bytes.subarray(from, to), sizes);
      const out = await buffer(redacted(Readable.from(chunks), redaction, from));
      return out.equals(expected(before, redaction).subarray(from, to)) && bytes.equals(before);
    }),
  );
});

t.test('a chunk without anything to cover is passed on uncopied', async (t) => {
  const chunk = Buffer.from('nothing here');
  const stream = applyRedaction([{ at: 100, length: 5, fill: 0 }]);
  stream.end(chunk);
  for await (const one of stream) t.equal(one, chunk);
});

t.test('an error of the source comes through, and a reader that leaves closes the source', async (t) => {
  const failing = new Readable({ read() {} });
  const broken = redacted(failing, [{ at: 0, length: 1, fill: 0 }]);
  failing.destroy(new Error('the disk is gone'));
  await t.rejects(buffer(broken), { message: 'the disk is gone' });

  const source = new Readable({
    read() {
      this.push(Buffer.alloc(1000));
    },
  });
  const closed = new Promise((resolve) => source.once('close', resolve));
  const left = redacted(source, [{ at: 0, length: 1, fill: 0 }]);
  left.on('error', () => {});
  left.once('data', () => left.destroy());
  await closed;
  t.ok(source.destroyed);
});
