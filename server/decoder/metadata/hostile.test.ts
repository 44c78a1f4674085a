/** Hostile files must not throw or take long, and exiftool must find nothing sensitive in served files. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { openBytes } from '../core/file-bytes.ts';
import { box, resource, segment, withSegments } from '../testing/containers.ts';
import { noExiftool, readTags, telling } from '../testing/exiftool.ts';
import { WITH_TRACES } from '../testing/files-with-traces.ts';
import { look, served } from '../testing/look-and-serve.ts';
import * as notes from '../testing/notes.ts';
import { decodeBytes, fileOf } from '../testing/pictures.ts';
import { avif, jpeg, svg } from '../testing/plain-files.ts';
import { createRedactor } from './bytes/redactor.ts';
import { findSensitiveMetadata } from './find.ts';

const NAMES = Object.keys(WITH_TRACES);

/** Positions of metadata in a file: near redactions, and at the start. */
function spotsOf(name: string, bytes: Buffer): number[] {
  const redacted = (look(name, bytes).redaction ?? []).flatMap(({ at }) => [at - 40, at - 8, at, at + 30]);
  return [...redacted, ...Array.from({ length: 12 }, (_, index) => index * 40)].filter((at) => at >= 0);
}

const SPOTS = new Map(NAMES.map((name) => [name, spotsOf(name, WITH_TRACES[name] ?? Buffer.alloc(0))]));

const change = fc.record({
  spot: fc.nat(),
  further: fc.nat(24),
  value: fc.oneof(fc.constantFrom(0, 1, 8, 0x8825, 0x2588, 0x7fffffff, 0xffffffff), fc.nat(4000)),
  size: fc.constantFrom(1, 2, 4),
  little: fc.boolean(),
});

const mutant = fc
  .record({ name: fc.constantFrom(...NAMES), changes: fc.array(change, { minLength: 1, maxLength: 5 }) })
  .map(({ name, changes }) => {
    const bytes = Buffer.from(WITH_TRACES[name] ?? '');
    const spots = SPOTS.get(name) ?? [0];
    for (const { spot, further, value, size, little } of changes) {
      const at = Math.min((spots[spot % spots.length] ?? 0) + further, bytes.length - size);
      const written = value % 2 ** (8 * size);
      if (little) bytes.writeUIntLE(written, at, size);
      else bytes.writeUIntBE(written, at, size);
    }
    if (name.endsWith('.png')) repairChecksums(bytes);
    return { name, bytes };
  });

/** Without valid checksums, a changed PNG is rejected before its metadata is read. */
function repairChecksums(png: Buffer): void {
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (at + 12 + length > png.length) return;
    png.writeUInt32BE(crc32(png.subarray(at + 4, at + 8 + length)), at + 8 + length);
    at += 12 + length;
  }
}

t.test('arbitrary changes yield a result, and the length stays', async () => {
  fc.assert(
    fc.property(mutant, ({ name, bytes }) => {
      const { traces, redaction } = look(name, bytes);
      return (redaction !== undefined) === (traces === 'removable') && served(name, bytes).length === bytes.length;
    }),
    { numRuns: 300 },
  );
});

t.test('exiftool finds nothing sensitive in changed pictures', { skip: noExiftool, timeout: 300_000 }, async (t) => {
  const sample = fc.sample(mutant, 50).filter(({ name, bytes }) => look(name, bytes).traces !== 'unreadable');
  const given = new Map(sample.map(({ name, bytes }, index) => [`${index} ${name}`, served(name, bytes)]));
  const tags = await readTags(given);
  let leaks = 0;
  for (const [index, { name, bytes }] of sample.entries()) {
    const leaked = telling(tags.get(`${index} ${name}`));
    if (leaked.length === 0 || !(await decodeBytes(bytes)).ok) continue; // refused files are not served
    leaks += 1;
    t.fail(`${name}: ${leaked[0]}`, { bytes: bytes.toString('base64') });
  }
  t.equal(leaks, 0, `of ${sample.length}`);
});

const exifWith = (change: (tiff: Buffer) => void) => {
  const tiff = notes.exif();
  change(tiff);
  return withSegments(jpeg, [segment(0xe1, 'Exif\0\0', tiff)]);
};

t.test('bytes between segments are redacted, fill bytes stay', async (t) => {
  const place = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), notes.exif()]);
  const between = withSegments(jpeg, [place, segment(0xfe, 'words'), place]);
  t.match(await decodeBytes(between), { ok: true }, 'it decodes');
  const given = served('a.jpg', between);
  t.notOk(given.includes('BODY-12345678'));
  t.ok(given.includes('words'));
  t.equal(look('a.jpg', given).traces, 'none');
  const markerless = Buffer.from(withSegments(jpeg, [segment(0xe1, place)]));
  markerless.writeUInt32LE(1, 2); // over the marker and the length
  t.notOk(served('a.jpg', markerless).includes('BODY-12345678'));
  t.equal(look('a.jpg', withSegments(jpeg, [Buffer.alloc(7, 0xff)])).traces, 'none', 'fill bytes');
});

t.test('directories that form a loop are redacted', async (t) => {
  const loop = exifWith((tiff) => tiff.writeUInt32LE(8, 8 + 2 + 12 * tiff.readUInt16LE(8)));
  t.equal(look('a.jpg', loop).traces, 'removable');
  t.equal(look('a.jpg', served('a.jpg', loop)).traces, 'none');
});

t.test('a pointer outside the file is removed', async (t) => {
  const far = exifWith((tiff) => tiff.writeUInt32LE(0xfffffff0, tiff.indexOf(Buffer.from([0x25, 0x88])) + 8));
  t.equal(look('a.jpg', far).traces, 'removable');
  t.notOk(served('a.jpg', far).includes(Buffer.from([0x25, 0x88, 4, 0, 1, 0, 0, 0])), 'no GPS pointer is left');
});

t.test('a directory larger than the file keeps its orientation', async (t) => {
  const many = exifWith((tiff) => tiff.writeUInt16LE(0xffff, 8));
  const given = served('a.jpg', many);
  t.notOk(given.includes('BODY-12345678'));
  const outcome = await decodeBytes(given);
  t.match(outcome, { ok: true, image: { width: 90, height: 120 } }, 'still turned upright');
});

t.test('files with thousands of boxes, directories, segments and blocks are handled', async (t) => {
  const many = (one: Buffer, count: number) => Buffer.concat(Array.from({ length: count }, () => one));
  let nested: Buffer = Buffer.alloc(8);
  for (let depth = 0; depth < 3000; depth += 1) nested = box('trak', nested);
  const chain = Buffer.alloc(2_000_000);
  chain.write('II*\0\x08\0\0\0', 'latin1');
  for (let at = 8; at + 12 < chain.length; at += 6) chain.writeUInt32LE(at + 6, at + 2);
  const files: Record<string, Buffer> = {
    'boxes.avif': Buffer.concat([avif, many(box('free'), 200_000)]),
    'nested.avif': Buffer.concat([avif, box('moov', nested)]),
    'segments.jpg': withSegments(jpeg, [many(segment(0xe1, 'x'), 50_000)]),
    'resources.jpg': withSegments(jpeg, [
      segment(0xed, 'Photoshop 3.0\0', many(resource(1025, Buffer.alloc(0)), 5000)),
    ]),
    'pages.tiff': chain,
    'metadata.svg': Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<metadata>'.repeat(100_000)}</svg>`),
    'one long word.svg': svg(`<desc><![CDATA[<${'a'.repeat(200_000)}<]]></desc>`),
    'commas.svg': svg(`<desc>${'data:,'.repeat(100_000)}</desc>`),
    'brackets.svg': svg(`<style>${'(data:,'.repeat(100_000)}</style>`),
    'addresses.svg': svg('<a b="data:;base64,"/>'.repeat(50_000)),
    'names.svg': Buffer.from(`<!DOCTYPE svg [${'<!ENTITY a"'.repeat(50_000)}]><svg/>`),
    'marks behind it.jpg': withSegments(jpeg, [], many(Buffer.from('\xff\xd8\xff\xd8', 'latin1'), 500_000)),
    'films behind it.jpg': withSegments(jpeg, [], many(box('ftyp'), 100_000)),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const started = process.cpuUsage();
    t.ok(look(name, bytes).traces, name);
    const spent = process.cpuUsage(started);
    t.comment(`${name}: ${bytes.length} bytes, ${Math.round((spent.user + spent.system) / 1000)} ms of processor`);
  }
});

t.test('a picture is not read whole if its structure shows where metadata is', async (t) => {
  const pixels = box('mdat', Buffer.alloc(20_000_000, 0x5a));
  const bytes = openBytes(await fileOf(t, Buffer.concat([WITH_TRACES['by sharp.avif'] ?? avif, pixels])));
  t.teardown(() => bytes.close());
  let read = 0;
  const counted = {
    ...bytes,
    part: (from: number, to: number) => {
      const part = bytes.part(from, to);
      read += part.length;
      return part;
    },
  };
  t.equal(findSensitiveMetadata(counted, 'avif').traces, 'removable');
  t.ok(read < 200_000, `${read} bytes`);
});

t.test('overlapping patches become disjoint, and later ones override earlier ones', async (t) => {
  const bytes = openBytes(await fileOf(t, Buffer.from('0123456789')));
  t.teardown(() => bytes.close());
  const redactor = createRedactor(bytes);
  redactor.blank(1, 9, 0x20);
  redactor.put(3, Buffer.from('ab'));
  redactor.put(8, Buffer.from('89'));
  t.equal(redactor.bytes.text(0, 10), '0  ab   89');
  t.same(redactor.finish(), [
    { at: 1, length: 2, fill: 0x20 },
    { at: 3, bytes: Buffer.from('ab').toString('base64') },
    { at: 5, length: 3, fill: 0x20 },
  ]);
});
