import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { decodeLimits } from '../core/limits.ts';
import type { Decoded } from '../protocol/messages.ts';
import {
  animation,
  CORNERS,
  colourAt,
  coloursOf,
  decodeBytes,
  difference,
  photograph,
  quarters,
} from '../testing/pictures.ts';
import { decode } from './decode.ts';

async function decoded(bytes: Buffer | string): Promise<Decoded> {
  const outcome = await decodeBytes(bytes);
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.detail}`);
  return outcome.image;
}

const FORMATS = [
  ['jpeg', 'image/jpeg', 'jpg', {}],
  ['jpeg', 'image/jpeg', 'jpg', { progressive: true }],
  ['png', 'image/png', 'png', {}],
  ['png', 'image/png', 'png', { progressive: true }],
  ['png', 'image/png', 'png', { palette: true }],
  ['webp', 'image/webp', 'webp', {}],
  ['webp', 'image/webp', 'webp', { lossless: true }],
  ['gif', 'image/gif', 'gif', {}],
  ['avif', 'image/avif', 'avif', { effort: 0 }],
  ['tiff', 'image/tiff', 'tiff', {}],
  ['tiff', 'image/tiff', 'tiff', { compression: 'lzw', tile: true }],
] as const;

const SIZES = [
  // width, height, then the thumbnail's
  [1, 1, 1, 1],
  [1, 700, 1, 480],
  [1200, 3, 480, 1],
  [479, 480, 479, 480],
  [961, 481, 480, 240],
] as const;

const pictures = SIZES.map(([width, height]) => quarters(width, height));

for (const [format, contentType, extension, options] of FORMATS) {
  t.test(`${format} ${JSON.stringify(options)} keeps its size and type and gets a WebP thumbnail`, async (t) => {
    for (const [place, [width, height, small, low]] of SIZES.entries()) {
      const image = await decoded((await pictures[place]?.clone().toFormat(format, options).toBuffer()) ?? '');
      t.match(image, { contentType, extension, width, height }, `${width}x${height}`);
      const thumbnail = await sharp(image.thumbnail).metadata();
      t.match(thumbnail, { format: 'webp', width: small, height: low }, `thumbnail of ${width}x${height}`);
      t.equal(
        image.screen !== undefined,
        format === 'tiff',
        'only formats that browsers cannot show get a screen rendition',
      );
      t.ok(image.placeholder.length >= 20, 'a placeholder');
    }
  });
}

t.test('pictures of every orientation are turned upright', async (t) => {
  const picture = quarters(488, 304);
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const turned = () => picture.clone().withMetadata({ orientation });
    const upright = await coloursOf(
      await sharp(await turned().png().toBuffer())
        .autoOrient()
        .png()
        .toBuffer(),
    );
    const [width, height] = orientation > 4 ? [304, 488] : [488, 304];
    for (const format of ['jpeg', 'webp', 'png', 'tiff', 'avif'] as const) {
      const stored = turned().toFormat(format, format === 'avif' ? { effort: 0 } : {});
      const image = await decoded(await stored.toBuffer());
      const name = `${format} ${orientation}`;
      t.match(image, { width, height }, name);
      for (const rendition of [image.thumbnail, ...(image.screen ? [image.screen] : [])]) {
        const shown = await coloursOf(rendition);
        for (const [x, y] of [
          [0.2, 0.2],
          [0.8, 0.2],
          [0.2, 0.8],
          [0.8, 0.8],
        ] as const) {
          t.ok(difference(shown(x, y), upright(x, y)) < 16, `${name} at ${x}, ${y}`);
        }
        t.equal((await sharp(rendition).metadata()).orientation, undefined, `${name} has no orientation left`);
      }
      const sideways = format === 'webp' && orientation !== 1;
      t.equal(image.screen !== undefined, sideways || format === 'tiff', `${name}: a screen rendition where needed`);
    }
  }
});

t.test('a mirrored picture is flipped, not only rotated', async (t) => {
  const image = await decoded(await quarters(640, 400).jpeg().withMetadata({ orientation: 5 }).toBuffer());
  t.ok(difference(await colourAt(image.thumbnail, 0.2, 0.2), CORNERS.topLeft) < 16);
  t.ok(difference(await colourAt(image.thumbnail, 0.8, 0.2), CORNERS.bottomLeft) < 16);
});

t.test('a screen rendition has at most 1600 px', async (t) => {
  const image = await decoded(await quarters(3200, 1000).tiff({ compression: 'lzw' }).toBuffer());
  t.match(await sharp(image.screen).metadata(), { format: 'webp', width: 1600, height: 500 });
});

t.test('transparency is kept without darkening colours', async (t) => {
  const half = { r: 250, g: 100, b: 20, alpha: 0.5 };
  for (const format of ['png', 'webp', 'avif', 'tiff'] as const) {
    const source = sharp({ create: { width: 500, height: 300, channels: 4, background: half } });
    const options = { avif: { effort: 0 }, tiff: { compression: 'lzw' }, png: {}, webp: {} }[format];
    const image = await decoded(await source.toFormat(format, options).toBuffer());
    t.ok(difference(await colourAt(image.thumbnail, 0.5, 0.5), [250, 100, 20, 128]) < 12, format);
  }
});

t.test('CMYK, grey, 16-bit and wide-gamut pictures keep their colours', async (t) => {
  const colour = { r: 180, g: 60, b: 90 };
  const flat = () => sharp({ create: { width: 500, height: 500, channels: 3, background: colour } });
  const cases = {
    cmyk: await flat().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer(),
    'display p3': await flat().withIccProfile('p3').png().toBuffer(),
    '16 bits': await flat().toColourspace('rgb16').png().toBuffer(),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const expected = await colourAt(bytes, 0.5, 0.5);
    t.ok(difference(expected, [180, 60, 90, 255]) < 20, `${name}: the source picture has the colour`);
    const image = await decoded(bytes);
    t.ok(difference(await colourAt(image.thumbnail, 0.5, 0.5), expected) < 8, name);
    t.equal((await sharp(image.thumbnail).metadata()).icc, undefined, `${name}: no profile left`);
  }
  const grey = await decoded(await flat().greyscale().png().toBuffer());
  const [r = 0, g = 0, b = 0] = await colourAt(grey.thumbnail, 0.5, 0.5);
  t.ok(difference([r, g, b], [g, b, r]) < 3, 'grey stays grey');
});

t.test('renditions contain no metadata', async (t) => {
  const source = photograph(600, 400).withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } });
  for (const bytes of [await source.clone().jpeg().toBuffer(), await source.clone().tiff().toBuffer()]) {
    const image = await decoded(bytes);
    for (const rendition of [image.thumbnail, ...(image.screen ? [image.screen] : [])]) {
      const { exif, xmp, iptc, icc } = await sharp(rendition).metadata();
      t.strictSame([exif, xmp, iptc, icc], [undefined, undefined, undefined, undefined]);
    }
  }
});

t.test('locations in the metadata are reported with their redaction', async (t) => {
  const plain = photograph(60, 40).jpeg();
  t.match(await decoded(await plain.toBuffer()), { traces: 'none', redaction: undefined });
  const placed = plain.withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } });
  const { traces, redaction } = await decoded(await placed.toBuffer());
  t.equal(traces, 'removable');
  t.ok((redaction?.length ?? 0) > 0);
});

t.test('an animation is shown by its first frame and has the size of one frame', async (t) => {
  for (const format of ['gif', 'webp'] as const) {
    const image = await decoded(await animation(300, 200, 4).toFormat(format, { effort: 1 }).toBuffer());
    t.match(image, { width: 300, height: 200, contentType: `image/${format}`, screen: undefined }, format);
    t.equal((await sharp(image.thumbnail).metadata()).pages ?? 1, 1);
  }
});

t.test('an SVG is recognised after a prolog, comments or a doctype', async (t) => {
  const body =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="red"/></svg>';
  const prefixed = body
    .replace('<svg xmlns=', '<s:svg xmlns="http://www.w3.org/2000/svg" xmlns:s=')
    .replace('</svg>', '</s:svg>');
  const cases = {
    plain: body,
    'byte order mark': `\ufeff${body}`,
    prolog: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- made by > hand -->\n${body}`,
    doctype: `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${body}`,
    'a long internal subset': `<!DOCTYPE svg [<!ENTITY ns "${'x'.repeat(3000)}">]>${body}`,
    'a long comment': `<!--${'a comment '.repeat(400)}-->${body}`,
    'a prefix': prefixed,
    'UTF-16': Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${body}`, 'utf16le'),
    'Latin-1': Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?><!-- \xe9t\xe9 -->${body}`, 'latin1'),
  };
  for (const [name, document] of Object.entries(cases)) {
    t.match(await decoded(document), { contentType: 'image/svg+xml', extension: 'svg', width: 40, height: 30 }, name);
  }
  const scalable = await decoded(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><path d="M0 0h20v10z"/></svg>',
  );
  t.ok(scalable.width === 2 * scalable.height, 'without a size, the view box gives the shape');
});

t.test('unsupported formats are distinguished from damaged files', async (t) => {
  const cases = {
    'a web page': '<!DOCTYPE html><html><body><svg xmlns="http://www.w3.org/2000/svg"></svg></body></html>',
    'other XML': '<?xml version="1.0"?><feed><svg/></feed>',
    text: 'Dear <svg>',
    bmp: Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]),
    pdf: '%PDF-1.7\n',
    zip: 'PK\x03\x04aaaaaaaaaaaaaaaaaaa',
    gzip: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0]),
    'jpeg xl': Buffer.from([0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a]),
    'jpeg 2000': Buffer.from([0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a]),
    mp4: Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42'),
    'Canon raw': Buffer.from('II*\0\x10\0\0\0CR\x02\0'),
    zeros: Buffer.alloc(5000),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    t.match(await decodeBytes(bytes), { ok: false, failure: { code: 'NOT_AN_IMAGE' } }, name);
  }
  t.match(await decodeBytes(Buffer.alloc(0)), { ok: false, failure: { code: 'EMPTY_FILE' } });
  for (const magic of [
    '\xff\xd8\xff\xe0',
    '\x89PNG\r\n\x1a\n',
    'GIF89a',
    'RIFF\x10\0\0\0WEBP',
    '\0\0\0\x1cftypavif',
    'II*\0',
    '<svg ',
  ]) {
    t.match(
      await decodeBytes(Buffer.from(magic, 'latin1')),
      { ok: false, failure: { code: 'DAMAGED_IMAGE' } },
      JSON.stringify(magic),
    );
  }
});

t.test('a file removed during decoding is a storage failure', async (t) => {
  const path = join(t.testdir({ 'picture.jpg': await photograph(300, 200).jpeg().toBuffer() }), 'picture.jpg');
  const away = () => rm(path);
  await t.rejects(decode(path, decodeLimits(100_000_000), {}, { before: away }), { code: 'ENOENT', syscall: 'stat' });
});
