import { PassThrough } from 'node:stream';
import t from 'tap';
import { MAX_PATCHED, MAX_PATCHES } from '../core/limits.ts';
import { LIMITS } from '../testing/pictures.ts';
import { MAX_TEXT, readFrames } from './frames.ts';
import { readReply } from './replies.ts';

const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ....', 'latin1');
const image = {
  contentType: 'image/png',
  extension: 'png',
  width: 10,
  height: 10,
  placeholder: 'YJqGPQw7sFlslqhFafSE+Q6oJ1h2iHB2Rw==',
  camera: null,
  traces: 'none',
};
const decoded = { type: 'decoded', image, renditions: { thumbnail: webp.length } };
const png = Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(100), 'latin1');
const read = (reply: unknown, bytes: Buffer = webp, head = png, size = 100) =>
  readReply({ text: JSON.stringify(reply), bytes }, { limits: LIMITS, size, head });
const withImage = (change: object) => ({ ...decoded, image: { ...image, ...change } });
const redacted = (redaction: object[]) => withImage({ traces: 'removable', redaction });
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

t.test('a decoder’s reply is parsed with its renditions', async (t) => {
  t.match(read(decoded), { type: 'done', outcome: { ok: true, image: { ...image, thumbnail: webp } } });
});

t.test('an invalid reply is rejected', async (t) => {
  const hostile: Record<string, unknown> = {
    'a page as the type': withImage({ contentType: 'text/html' }),
    'a type with the extension of another': withImage({ contentType: 'image/svg+xml' }),
    'a width that is no number': withImage({ width: '10' }),
    'a height below one': withImage({ height: 0 }),
    'more pixels than are accepted': withImage({ width: 1_000_000, height: 1_000_000 }),
    'a camera of two lines': withImage({ camera: 'a\nb' }),
    'a field that is none': withImage({ id: 'other' }),
    'a prototype': JSON.parse(JSON.stringify(decoded).replace('"image":{', '"image":{"__proto__":{"width":1},')),
    'a redaction that is not announced': withImage({ redaction: [] }),
    'a redaction past the end': withImage({ traces: 'removable', redaction: [{ at: 99, length: 2, fill: 0 }] }),
    'a redaction out of order': withImage({
      traces: 'removable',
      redaction: [
        { at: 50, length: 2, fill: 0 },
        { at: 10, length: 2, fill: 0 },
      ],
    }),
    'a thumbnail longer than its bytes': { ...decoded, renditions: { thumbnail: webp.length + 1 } },
    'bytes that are no rendition': { ...decoded, renditions: { thumbnail: webp.length - 1 } },
    'a failure that does not exist': { type: 'refused', failure: { code: 'QUOTA', detail: '' } },
    'a detail without end': { type: 'refused', failure: { code: 'DAMAGED_IMAGE', detail: 'x'.repeat(10_000) } },
    'a negative need': { type: 'need', memory: -1, timeoutMs: 1 },
    'no object': null,
  };
  for (const [name, reply] of Object.entries(hostile)) t.equal(read(reply), undefined, name);
  t.equal(read(decoded, Buffer.from('<html>'.padEnd(webp.length))), undefined, 'a thumbnail that is no WebP');
  t.equal(readReply({ text: '{', bytes: webp }, undefined), undefined, 'no JSON');
});

t.test('a content type that contradicts the file’s first bytes is rejected', async (t) => {
  t.equal(read(decoded, webp, Buffer.from('<!doctype html><script>')), undefined, 'a page as a PNG');
  t.equal(read(withImage({ contentType: 'image/jpeg', extension: 'jpg' })), undefined, 'a PNG as a JPEG');
  const heif = Buffer.from('\0\0\0\x18ftypheic', 'latin1');
  t.ok(read(withImage({ contentType: 'image/heic', extension: 'heic' }), webp, heif), 'a HEIC as a HEIC');
});

t.test('a redaction cannot change the file’s type', async (t) => {
  t.equal(read(redacted([{ at: 0, bytes: base64('<!doctype html>') }])), undefined);
  t.ok(read(redacted([{ at: 20, bytes: base64('GPS') }])));
});

t.test('a redaction is limited in spans and bytes, and the largest one fits into a frame', async (t) => {
  const size = 10 * MAX_PATCHED;
  const readLarge = (redaction: object[]) => read(redacted(redaction), webp, png, size);
  const spans = (count: number) => Array.from({ length: count }, (_, at) => ({ at: 100 + 2 * at, length: 1, fill: 0 }));
  const bytes = (count: number) => ({ at: size - count, bytes: base64(Buffer.alloc(count)) });
  const largest = [...spans(MAX_PATCHES - 1), bytes(MAX_PATCHED)];
  t.ok(readLarge(largest));
  t.ok(JSON.stringify(redacted(largest)).length < MAX_TEXT);
  t.equal(readLarge(spans(MAX_PATCHES + 1)), undefined, 'one span too many');
  t.equal(readLarge([bytes(MAX_PATCHED + 1)]), undefined, 'one byte too many');
});

t.test('a decoder can only report faults of reading its input', async (t) => {
  const fault = (code: string) => ({ type: 'fault', fault: { message: 'failed', code, syscall: 'read' } });
  t.match(read(fault('EIO')), fault('EIO'));
  t.equal(read(fault('ENOSPC')), undefined, 'a full disk');
  t.equal(read({ type: 'fault', fault: { ...fault('EIO').fault, errno: -28 } }), undefined, 'another number');
});

t.test('frames are read from chunks of any size', async (t) => {
  const stream = new PassThrough();
  const texts: string[] = [];
  readFrames(stream, ({ text, bytes }) => texts.push(`${text} ${bytes}`), t.fail);
  const frame = (text: string, bytes: string) => {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(text.length, 0);
    header.writeUInt32LE(bytes.length, 4);
    return Buffer.concat([header, Buffer.from(text + bytes)]);
  };
  const all = Buffer.concat([frame('"a"', 'one'), frame('"b"', ''), frame('"c"', 'three')]);
  for (const byte of all) stream.write(Buffer.of(byte));
  stream.write(all);
  t.strictSame(texts, ['"a" one', '"b" ', '"c" three', '"a" one', '"b" ', '"c" three']);
});

t.test('a frame with an excessive length is rejected at its header', async (t) => {
  const stream = new PassThrough();
  let broken = 0;
  readFrames(stream, t.fail, () => {
    broken += 1;
  });
  const head = Buffer.alloc(8);
  head.writeUInt32LE(MAX_TEXT + 1, 0);
  t.ok(MAX_TEXT <= 1024 * 1024);
  stream.write(head);
  stream.write(Buffer.alloc(100_000));
  t.equal(broken, 1);
});
