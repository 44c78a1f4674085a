import sharp from 'sharp';
import t from 'tap';
import { box, packed, segment, withSegments } from '../testing/containers.ts';
import { noExiftool, readTags, telling } from '../testing/exiftool.ts';
import { WITH_TRACES } from '../testing/files-with-traces.ts';
import { WITHOUT } from '../testing/files-without-traces.ts';
import { heifOfNotes } from '../testing/heif-with-notes.ts';
import { look, served } from '../testing/look-and-serve.ts';
import * as notes from '../testing/notes.ts';
import { decodeBytes, photograph } from '../testing/pictures.ts';
import { avif, film, jpeg, svg } from '../testing/plain-files.ts';

const pixels = (bytes: Buffer) => sharp(bytes, { failOn: 'warning' }).raw().toBuffer();

for (const [name, bytes] of Object.entries(WITH_TRACES)) {
  t.test(`${name}: redaction removes its sensitive metadata and keeps length, pixels and orientation`, async (t) => {
    const { traces, redaction = [] } = look(name, bytes);
    t.equal(traces, 'removable');
    let end = 0;
    for (const span of redaction) {
      t.ok(span.at >= end, 'sorted and disjoint');
      end = span.at + ('fill' in span ? span.length : Buffer.from(span.bytes, 'base64').length);
    }
    t.ok(end <= bytes.length, 'inside the file');
    const given = served(name, bytes);
    t.equal(given.length, bytes.length);
    t.equal(look(name, given).traces, 'none', 'nothing sensitive is left');
    t.match(await decodeBytes(given), { ok: true, image: { traces: 'none' } }, 'it still decodes');
    t.ok((await pixels(given)).equals(await pixels(bytes)), 'the same pixels');
    const [before, after] = await Promise.all([sharp(bytes).metadata(), sharp(given).metadata()]);
    t.equal(after.orientation, before.orientation);
    t.same(after.icc, before.icc);
  });
}

for (const [name, bytes] of Object.entries(WITHOUT)) {
  t.test(`${name} has no sensitive metadata and is served unchanged`, async (t) => {
    t.same(look(name, bytes), { traces: 'none' });
  });
}

t.test(
  'exiftool finds nothing sensitive in served files, and other metadata stays',
  { skip: noExiftool },
  async (t) => {
    const files = Object.entries(WITH_TRACES);
    const given = files.map(([name, bytes]) => [`given ${name}`, served(name, bytes)] as const);
    const tags = await readTags(new Map([...files, ...given]));
    const unseen = Object.keys(WITH_TRACES).filter((name) => telling(tags.get(name)).length === 0);
    t.comment(`exiftool itself sees nothing in: ${unseen.join(', ')}`);
    const kept = (key: string) =>
      tags.get(key)?.filter(({ name }) => /^(?:Copyright|Make|ObjectName|Caption-Abstract|Orientation)$/.test(name));
    for (const name of Object.keys(WITH_TRACES)) {
      t.same(telling(tags.get(`given ${name}`)), [], name);
      if (!/cut short|two segments|Photoshop|thumbnail|packed raw|behind|photograph|comment|unknown/.test(name))
        t.same(kept(`given ${name}`), kept(name), name);
    }
  },
);

t.test('HEIF items in tables and in pieces are redacted, and bytes between them stay', async (t) => {
  const bytes = heifOfNotes();
  t.equal(look('a.heic', bytes).traces, 'removable');
  const given = served('a.heic', bytes);
  t.equal(look('a.heic', given).traces, 'none');
  for (const word of ['BODY-', 'LENS-', 'London', 'GPSLatitude', 'Apple iOS']) {
    t.ok(bytes.includes(word), `${word} was there`);
    t.notOk(given.includes(word), `${word} is gone`);
  }
  t.ok(given.includes('Copyright Somebody'));
  t.ok(given.includes(Buffer.alloc(8, 0xee)));
  const elsewhere = Buffer.from(bytes);
  elsewhere[bytes.indexOf('iloc') + 15] = 2; // built from other items
  t.equal(look('a.heic', elsewhere).traces, 'unreadable');
});

t.test('a picture whose metadata cannot be parsed is unreadable', async (t) => {
  const other = box('trak', box('mdia', box('hdlr', Buffer.alloc(8), 'camm', Buffer.alloc(12))));
  t.same(look('a.avif', Buffer.concat([avif, box('moov', other)])), { traces: 'unreadable' });
  const tiff = await photograph(60, 40).tiff().toBuffer();
  t.same(look('a.tiff', Buffer.concat([tiff, Buffer.from('cbipcbbl')])), { traces: 'unreadable' });
  t.same(look('a.svg', svg('<gpsLatitude>51.5</gpsLatitude>')), { traces: 'unreadable' });
});

t.test('after the end of a picture, complete JPEGs stay and films are redacted', async (t) => {
  const tail = Buffer.concat([film(), jpeg, film(), jpeg.subarray(0, 200), film()]);
  const given = served('a.jpg', withSegments(jpeg, [], tail)).subarray(jpeg.length);
  const at = film().length;
  t.ok(given.subarray(at, at + jpeg.length).equals(jpeg), 'a gain map would stay');
  given.fill(0, at, at + jpeg.length);
  t.ok(given.equals(Buffer.alloc(tail.length)), 'nothing else stays');
});

t.test('a file with too many segments or boxes is unreadable', async (t) => {
  const exif = segment(0xe1, 'Exif\0\0', notes.exif());
  const many = Array.from({ length: 10_001 }, () => segment(0xe8, 'SPIFF\0'));
  t.same(look('a.jpg', withSegments(jpeg, [...many, exif])), { traces: 'unreadable' });
  const boxes = Array.from({ length: 20_001 }, () => box('free'));
  t.same(look('a.avif', Buffer.concat([avif, ...boxes])), { traces: 'unreadable' });
});

t.test('an SVG with addresses that cannot be decoded completely is unreadable', async (t) => {
  const photograph = withSegments(jpeg, [segment(0xe1, 'Exif\0\0', notes.exif())]);
  const digits = photograph.toString('base64');
  const uri = `data:image/jpeg;base64,${digits}`;
  const inner = svg(`<image href="${uri}"/>`).toString();
  const address = (content: string) => svg(`<image href="${content}"/>`);
  let nested = inner;
  for (let depth = 0; depth < 6; depth += 1) {
    nested = svg(`<image href="data:image/svg+xml;base64,${Buffer.from(nested).toString('base64')}"/>`).toString();
  }
  const drawings: Record<string, Buffer | string> = {
    'digits with an end of their own': address(`${uri}#x`),
    'a whole photograph in percents': address(`data:,${photograph.toString('hex').replace(/../g, '%$&')}`),
    'a drawing in percents': address(`data:image/svg+xml,${encodeURIComponent(inner)}`),
    'a drawing as text': address(`data:image/svg+xml,${inner.replaceAll('<', '&lt;').replaceAll('"', '&quot;')}`),
    'packed data': address(`data:image/svg+xml;base64,${packed(inner).toString('base64')}`),
    'escapes of CSS': svg(`<style>g{fill:url(\\64 ata:image/jpeg;base64,${digits})}</style>`),
    'a name made of names': `<!DOCTYPE svg [<!ENTITY a "da"><!ENTITY b "&a;ta:image/jpeg;base64,${digits}">]>${address('&b;')}`,
    'a name, another in a comment': `<!DOCTYPE svg [<!-- <!ENTITY a "no"> --><!ENTITY a "da"><!ENTITY b "&a;ta:image/jpeg;base64,${digits}">]>${address('&b;')}`,
    'a long name': `<!DOCTYPE svg [<!ENTITY ${'a'.repeat(101)} "da">]>${address(`&${'a'.repeat(101)};ta:image/jpeg;base64,${digits}`)}`,
    'markup behind a name': `<!DOCTYPE svg [<!ENTITY a "&#60;g data-latitude='5'/>">]>${svg('&a;')}`,
    'names for declarations': `<!DOCTYPE svg [<!ENTITY % a "">%a;]>${svg('')}`,
    'names upon names': `<!DOCTYPE svg [${[...'bcdefgh'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(60)}">`).join('')}<!ENTITY a "${'a'.repeat(60)}">]>${svg('&h;')}`,
    'another encoding': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(inner, 'utf16le')]),
    'drawings in drawings': nested,
    'no end': '<svg xmlns="http://www.w3.org/2000/svg"><g',
  };
  for (const [name, drawing] of Object.entries(drawings)) {
    t.same(look('a.svg', Buffer.from(drawing)), { traces: 'unreadable' }, name);
  }
});
