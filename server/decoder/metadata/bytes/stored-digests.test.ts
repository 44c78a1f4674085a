import { createHash } from 'node:crypto';
import t from 'tap';
import { resource, segment, withSegments } from '../../testing/containers.ts';
import { exifSegment, photoshop, xmpSegment } from '../../testing/jpeg-notes.ts';
import { look, served } from '../../testing/look-and-serve.ts';
import * as notes from '../../testing/notes.ts';
import { jpeg } from '../../testing/plain-files.ts';

const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest();
const hex = (bytes: Buffer) => bytes.toString('hex').toUpperCase();

const exif = exifSegment();
const long = notes.PLACE_XMP;
const identity = hex(md5(long));
const extension = segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', identity, lengths(long.length, 0), long);
const caption = notes.PLACE_IPTC;

function lengths(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [place, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * place);
  return bytes;
}

/** Files with a digest of bytes that are redacted, and the digest as stored in the file. */
const files: Record<string, { bytes: Buffer; digest: Buffer }> = {
  "an XMP packet's digest of the EXIF": {
    bytes: withSegments(jpeg, [xmpSegment(notes.xmp(`exif:NativeDigest="36864,0,2,4;${hex(md5(exif))}"`)), exif]),
    digest: Buffer.from(hex(md5(exif))),
  },
  "an XMP packet's digest of its long one": {
    bytes: withSegments(jpeg, [xmpSegment(notes.xmp(`xmpNote:HasExtendedXMP="${identity}"`)), extension]),
    digest: Buffer.from(identity),
  },
  "an image resource's digest of the caption": {
    bytes: withSegments(jpeg, [photoshop(resource(1061, md5(caption)), resource(1028, caption))]),
    digest: md5(caption),
  },
  'a hash of the whole file in boxes of provenance': {
    bytes: withSegments(jpeg, [exif, segment(0xeb, 'JP\0\0\0\0\0\x01', Buffer.alloc(8), 'c2pa.hash.data', md5(jpeg))]),
    digest: md5(jpeg),
  },
};

for (const [name, { bytes, digest }] of Object.entries(files)) {
  t.test(`${name} is redacted together with its data`, async (t) => {
    t.ok(bytes.includes(digest), 'the file contains it');
    t.equal(look('a.jpg', bytes).traces, 'removable');
    const given = served('a.jpg', bytes);
    t.equal(given.length, bytes.length);
    t.notOk(given.includes(digest));
    t.equal(look('a.jpg', given).traces, 'none', 'nothing sensitive is left');
  });
}

t.test('digests stay in a file without redactions', async (t) => {
  const bytes = withSegments(jpeg, [
    xmpSegment(notes.xmp(`exif:NativeDigest="36864;${hex(md5('x'))}"`)),
    photoshop(resource(1061, md5('x'))),
  ]);
  t.same(look('a.jpg', bytes), { traces: 'none' });
});
