/** Expected colours are those of Chromium, measured with its screenshots. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Decoded } from '../protocol/messages.ts';
import { chunk, segment, withChunks, withSegments } from '../testing/containers.ts';
import { withProperties } from '../testing/heif-properties.ts';
import { CORNERS, colourAt, coloursOf, decodeBytes, difference, photograph, quarters } from '../testing/pictures.ts';
import { floatTiff, type Tiff, tiffOf } from '../testing/tiffs.ts';

async function decoded(bytes: Buffer | string): Promise<Decoded> {
  const outcome = await decodeBytes(bytes);
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.detail}`);
  return outcome.image;
}

const flat = (r: number, g: number, b: number) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: { r, g, b } } });

const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, 4 * index);
  return bytes;
};

const cicp = (primaries: number, transfer: number) => chunk('cICP', Buffer.from([primaries, transfer, 0, 1]));
const gamma = (value: number) => chunk('gAMA', numbers(value));
/** The primaries of sRGB, with red and green exchanged. */
const exchanged = chunk('cHRM', numbers(31270, 32900, 30000, 60000, 64000, 33000, 15000, 6000));

t.test('a PNG has the colours that its chunks describe', async (t) => {
  const sRgb = chunk('sRGB', Buffer.from([0]));
  const cases: [name: string, chunks: Buffer[], from: number[], to: number[]][] = [
    ['P3', [cicp(12, 13)], [200, 100, 50], [215, 93, 31]],
    ['linear light', [gamma(100_000)], [200, 100, 50], [229, 168, 122]],
    ['a high gamma', [gamma(30_000)], [128, 128, 128], [89, 89, 89]],
    ['the usual gamma', [gamma(45_455)], [200, 100, 50], [200, 100, 50]],
    ['primaries', [gamma(45_455), exchanged], [200, 100, 50], [100, 201, 46]],
    ['primaries without a gamma', [exchanged], [200, 100, 50], [200, 100, 50]],
    ['sRGB before gamma', [sRgb, gamma(100_000)], [128, 128, 128], [128, 128, 128]],
    ['code points before gamma', [cicp(1, 13), gamma(100_000)], [128, 128, 128], [128, 128, 128]],
    ['television', [cicp(1, 1)], [128, 128, 128], [121, 121, 121]],
    ['PQ', [cicp(9, 16)], [128, 128, 128], [132, 132, 132]],
    ['a PQ highlight', [cicp(9, 16)], [160, 160, 160], [212, 212, 212]],
    ['HLG', [cicp(9, 18)], [200, 100, 50], [230, 48, 17]],
    ['an HLG highlight', [cicp(9, 18)], [235, 235, 235], [238, 238, 238]],
    ['a gamma of nothing', [gamma(0)], [128, 128, 128], [128, 128, 128]],
  ];
  for (const [name, chunks, [r = 0, g = 0, b = 0], to] of cases) {
    const png = withChunks(await flat(r, g, b).png().toBuffer(), ...chunks);
    const shown = await colourAt((await decoded(png)).thumbnail, 0.5, 0.5);
    t.ok(difference(shown, to) < 6, `${name}: ${shown} for ${to}`);
  }
});

t.test('code points count before a profile in a PNG, which an intact profile does before gamma', async (t) => {
  const p3 = await flat(200, 100, 50).withIccProfile('p3').png().toBuffer();
  const plain = await colourAt((await decoded(p3)).thumbnail, 0.5, 0.5);
  t.ok(difference(await colourAt((await decoded(withChunks(p3, gamma(100_000)))).thumbnail, 0.5, 0.5), plain) < 6);
  const stored = await sharp(p3, { ignoreIcc: true }).raw().toBuffer();
  const asCoded = await colourAt((await decoded(withChunks(p3, cicp(1, 13)))).thumbnail, 0.5, 0.5);
  t.ok(difference(asCoded, [...stored.subarray(0, 3)]) < 6, 'the profile is ignored');
});

t.test('16 bits and transparency keep their colours', async (t) => {
  const deep = await flat(200, 100, 50).ensureAlpha(0.5).toColourspace('rgb16').png().toBuffer();
  const shown = await colourAt((await decoded(withChunks(deep, gamma(100_000)))).thumbnail, 0.5, 0.5);
  t.ok(difference(shown, [229, 168, 122, 128]) < 6, `${shown}`);
});

const nclx = (primaries: number, transfer: number) =>
  Buffer.concat([Buffer.from('nclx'), Buffer.from([0, primaries, 0, transfer, 0, 6, 0x80])]);

t.test('an AVIF has the colours of its code points', async (t) => {
  for (const [name, box, from, to] of [
    ['P3', nclx(12, 13), 200, [215, 93, 31]],
    ['the curve of a camera, as sRGB', nclx(1, 1), 200, [200, 100, 50]],
    ['HLG', nclx(9, 18), 200, [230, 48, 17]],
  ] as const) {
    const avif = await flat(from, 100, 50).avif({ effort: 0, quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
    const shown = await colourAt((await decoded(withProperties(avif, ['colr', box]))).thumbnail, 0.5, 0.5);
    t.ok(difference(shown, to) < 8, `${name}: ${shown}`);
  }
});

t.test('an AVIF is cropped, turned and mirrored as its properties say, in this order', async (t) => {
  const avif = await quarters(256, 192).avif({ effort: 0, quality: 80 }).toBuffer();
  // The left half's middle.
  const clap = ['clap', numbers(100, 1, 60, 1, -50, 1, 0, 1)] as const;
  for (const [name, properties, width, height, corner] of [
    ['cropped', [clap], 100, 60, CORNERS.topLeft],
    ['turned', [['irot', Buffer.from([1])]], 192, 256, CORNERS.topRight],
    ['mirrored', [['imir', Buffer.from([1])]], 256, 192, CORNERS.topRight],
    ['cropped and turned twice', [clap, ['irot', Buffer.from([2])]], 100, 60, CORNERS.bottomLeft],
  ] as const) {
    const image = await decoded(withProperties(avif, ...properties));
    t.match(image, { width, height }, name);
    t.ok(difference(await colourAt(image.thumbnail, 0.1, 0.1), corner) < 16, name);
  }
});

/** EXIF with one entry: the orientation, as the given type. */
function orientationAs(type: number, count = 1): Buffer {
  const tiff = Buffer.from([
    0x49,
    0x49,
    0x2a,
    0,
    8,
    0,
    0,
    0,
    1,
    0,
    0x12,
    1,
    type,
    0,
    count,
    0,
    0,
    0,
    6,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
}

t.test('an orientation counts only as a single SHORT', async (t) => {
  const jpeg = await quarters(320, 200).jpeg().toBuffer();
  const withOrientation = (...of: Parameters<typeof orientationAs>) =>
    withSegments(jpeg, [segment(0xe1, orientationAs(...of))]);
  t.match(await decoded(withOrientation(3)), { width: 200, height: 320 });
  t.match(await decoded(withOrientation(4)), { width: 320, height: 200 }, 'LONG');
  t.match(await decoded(withOrientation(3, 2)), { width: 320, height: 200 }, 'two values');
  const png = await quarters(320, 200).png().toBuffer();
  const long = withChunks(png, chunk('eXIf', orientationAs(4).subarray(6)));
  t.match(await decoded(long), { width: 320, height: 200 }, 'PNG');
});

t.test('header fields that no decoder needs are no damage', async (t) => {
  const jpeg = await photograph(300, 220).jpeg().toBuffer();
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const parameters = scan + 5 + 2 * (jpeg[scan + 4] ?? 0);
  const changed = (at: number, ...values: number[]) => {
    const copy = Buffer.from(jpeg);
    copy.set(values, at);
    return copy;
  };
  const adobe = segment(0xee, 'Adobe\0\x64\0\0\0\0\x07');
  const whole = await sharp(jpeg).resize(300).raw().toBuffer();
  for (const [name, file] of [
    ['the end of the spectrum is 0', changed(parameters, 0, 0, 0)],
    ['an approximation in a sequential scan', changed(parameters, 0, 63, 0x11)],
    ['an unknown transform of Adobe', withSegments(jpeg, [adobe])],
    ['a later version of JFIF', withSegments(jpeg, [segment(0xe0, 'JFIF\0\x03\0\0\0\x01\0\x01\0\0')])],
    ['both', withSegments(changed(parameters, 0, 0, 0), [adobe])],
  ] as const) {
    const image = await decoded(file);
    t.match(image, { width: 300, height: 220 }, name);
    const shown = await coloursOf(image.thumbnail);
    const [r = 0, g = 0, b = 0] = whole.subarray((110 * 300 + 150) * 3);
    t.ok(difference(shown(0.5, 0.5), [r, g, b, 255]) < 40, name);
  }
  const cut = Buffer.concat([changed(parameters, 0, 0, 0).subarray(0, -3000), Buffer.from([0xff, 0xd9])]);
  t.match(await decodeBytes(cut), { failure: { code: 'DAMAGED_IMAGE' } }, 'a copy with a short scan');
});

t.test('an ancillary PNG chunk with a wrong checksum is ignored, pixels with one are damage', async (t) => {
  const wrong = (part: Buffer) => {
    const copy = Buffer.from(part);
    copy[copy.length - 1] = (copy[copy.length - 1] ?? 0) ^ 1;
    return copy;
  };
  const png = await flat(128, 128, 128).png().toBuffer();
  for (const part of [chunk('tEXt', 'Comment\0x'), chunk('abCd', 'x'), gamma(100_000)]) {
    const shown = await colourAt((await decoded(withChunks(png, wrong(part)))).thumbnail, 0.5, 0.5);
    t.ok(difference(shown, [128, 128, 128]) < 3);
  }
  t.match(await decodeBytes(withChunks(png, wrong(chunk('PLTE', '\0\0\0')))), { failure: { code: 'DAMAGED_IMAGE' } });
});

t.test('a TIFF of any samples shows a ramp', async (t) => {
  const ramps: Record<string, Tiff> = {
    'float grey': floatTiff(1),
    'float colour': floatTiff(3),
    'float with transparency': { ...floatTiff(4), extra: [[338, [2]]] },
    'float in planes': { ...floatTiff(3), planes: true },
    'float beyond 1': { ...floatTiff(1), sample: (at) => at * 4000 },
    'half float grey': { ...floatTiff(1), bits: 16 },
    'half float colour': { ...floatTiff(3), bits: 16 },
    'signed 16 bits': { bits: 16, format: 2, photometric: 1, samples: 1, sample: (at) => at * 65_535 - 32_768 },
    'signed 8 bits': { bits: 8, format: 2, photometric: 1, samples: 1, sample: (at) => at * 255 - 128 },
    'signed 16 bits in colour': {
      bits: 16,
      format: 2,
      photometric: 2,
      samples: 3,
      sample: (at) => at * 65_535 - 32_768,
    },
    '32 bits': { bits: 32, format: 1, photometric: 1, samples: 1, sample: (at) => at * 4_294_967_295 },
    '16 bits in planes': { bits: 16, format: 1, photometric: 2, samples: 3, planes: true, sample: (at) => at * 65_535 },
    CMYK: { bits: 8, format: 1, photometric: 5, samples: 4, sample: (at, ink) => (ink === 3 ? 255 - at * 255 : 0) },
    'float CMYK': { ...floatTiff(4), photometric: 5, sample: (at, ink) => (ink === 3 ? 1 - at : 0) },
  };
  const negatives = Object.entries(ramps)
    .filter(([, { photometric }]) => photometric === 1)
    .map(([name, ramp]): [string, Tiff] => [
      `${name}, white is zero`,
      { ...ramp, photometric: 0, sample: (at, index) => ramp.sample(1 - at, index) },
    ]);
  for (const [name, ramp] of [...Object.entries(ramps), ...negatives]) {
    const shown = await coloursOf((await decoded(tiffOf(ramp))).thumbnail);
    const [dark = 0, middle = 0, light = 0] = [0.01, 0.5, 0.99].map((across) => shown(across, 0.5)[1] ?? 0);
    t.ok(dark < 40 && middle > 90 && middle < 200 && light > 230, `${name}: ${dark}, ${middle}, ${light}`);
  }
});

t.test('inks without a profile cover each other, as in browsers', async (t) => {
  const tiff = tiffOf({
    bits: 8,
    format: 1,
    photometric: 5,
    samples: 4,
    sample: (_, ink) => [100, 50, 20, 30][ink] ?? 0,
  });
  const jpeg = await sharp(tiff).pipelineColourspace('cmyk').toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
  t.match(await sharp(jpeg).metadata(), { space: 'cmyk', hasProfile: false });
  const shown = await colourAt((await decoded(jpeg)).thumbnail, 0.5, 0.5);
  t.ok(difference(shown, [136, 180, 207]) < 6, `${shown}`);
});

t.test('a remark about the tags of a TIFF is no damage', async (t) => {
  // Two samples without a word about the second, which libtiff remarks on.
  const tiff = tiffOf({ bits: 8, format: 1, photometric: 1, samples: 2, sample: (at) => at * 255 });
  t.match(await decoded(tiff), { width: 64, height: 48 });
});

t.test('a raw photograph is refused as one, whatever its first directory holds', async (t) => {
  const preview = { bits: 8, format: 1, photometric: 2, samples: 3, sample: (at: number) => at * 255 };
  const sensor = { bits: 16, format: 1, photometric: 32_803, samples: 1, sample: (at: number) => at * 65_535 };
  const raw = { ok: false, failure: { code: 'NOT_AN_IMAGE', detail: 'the file is a raw photograph' } };
  t.match(await decodeBytes(tiffOf(preview, { inside: sensor })), raw, 'below the preview');
  t.match(await decodeBytes(tiffOf(preview, { next: sensor })), raw, 'after the preview');
  t.match(await decodeBytes(tiffOf({ ...preview, extra: [[0xc612, [1]]] })), raw, 'DNG');
  t.match(
    await decodeBytes(tiffOf(preview, { inside: { ...sensor, photometric: 1, compression: 34_713 } })),
    raw,
    'Nikon',
  );
  t.match(await decodeBytes(tiffOf(preview, { inside: { ...preview } })), { ok: true }, 'a smaller copy');
});

t.test('an SVG is drawn at a size that one can see', async (t) => {
  const svg = (attributes: string, drawing = '<rect width="100%" height="100%" fill="red"/>') =>
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${drawing}</svg>`;
  for (const [attributes, width, height, small] of [
    ['viewBox="0 0 333333 250000"', 1600, 1200, 480],
    ['width="100%" height="100%" viewBox="0 0 333333 250000"', 1600, 1200, 480],
    ['viewBox="0 0 1e9 5e8"', 1600, 800, 480],
    ['viewBox="0 0 0.02 0.01"', 1600, 800, 480],
    ['viewBox="0,0,8,4"', 8, 4, 480],
    ['width="24" height="24" viewBox="0 0 333333 333333"', 24, 24, 480],
    ['width="2em" height="1em" viewBox="0 0 2 1"', 24, 12, 480],
    ['viewBox="0 0 5000 3000" style="width:300px"', 300, 180, 480],
    ['viewBox="0 0 5000 3000" style="fill: red; height: 300px"', 500, 300, 480],
    ['viewBox="0 0 5000 3000" style="stroke-width:2"', 1600, 960, 480],
    ['viewBox="0 0 333333 250000" style="width:100%"', 1600, 1200, 480],
    ['width="20000" height="20000"', 1600, 1600, 480],
    ['width="500in" height="300in"', 1600, 960, 480],
    ['', 300, 150, 480],
    ['width="100%" height="100%"', 300, 150, 480],
    ['height="300"', 300, 300, 480],
  ] as const) {
    const image = await decoded(svg(attributes));
    t.match(image, { width, height }, attributes);
    t.equal((await sharp(image.thumbnail).metadata()).width, small, attributes);
    t.ok(difference(await colourAt(image.thumbnail, 0.5, 0.5), [255, 0, 0]) < 16, attributes);
  }
  const styled = (size: string) => svg('viewBox="0 0 5000 3000"', `<style>svg{${size}}</style>`);
  t.match(await decoded(styled('width:300px')), { width: 300, height: 180 }, 'a size in a style sheet');
  t.match(await decoded(styled('width:20000px')), { width: 1600, height: 960 }, 'a large one');
  t.match(await decoded(svg('', '<circle cx="50" cy="50" r="50"/>')), { width: 100, height: 100 }, 'what it draws');
});

const FILES = join(process.cwd(), '..', 'shared', 'faults', 'files');
const skip = existsSync(FILES) ? false : 'the HEIC files are not here';

t.test('a HEIC shows its primary picture, cropped', { skip }, async (t) => {
  const primary = await decoded(readFileSync(join(FILES, 'heic-primary-second.heic')));
  t.match(primary, { width: 256, height: 192 });
  t.ok(difference(await colourAt(primary.thumbnail, 0.2, 0.2), CORNERS.topLeft) < 24);
  t.ok(difference(await colourAt(primary.thumbnail, 0.8, 0.8), [230, 210, 40]) < 24);
  const cropped = readFileSync(join(FILES, 'heic-cropped.heic'));
  const image = await decoded(cropped);
  t.match(image, { width: 64, height: 48 });
  t.match(await sharp(image.screen).metadata(), { width: 64, height: 48 });
  t.ok(difference(await colourAt(image.screen ?? Buffer.alloc(0), 0.5, 0.5), [40, 179, 60]) < 16);
  const turned = await decoded(withProperties(cropped, ['irot', Buffer.from([1])]));
  t.match(turned, { width: 48, height: 64 });
  t.match(await sharp(turned.screen).metadata(), { width: 48, height: 64 }, 'the crop turns with the picture');
});

t.test('a HEIC of 48 million pixels is decoded within a bounded memory', { skip }, async (t) => {
  const before = process.resourceUsage().maxRSS;
  const image = await decoded(readFileSync(join(FILES, 'heic-48mp.heic')));
  t.match(image, { width: 8064, height: 6048 });
  const used = (process.resourceUsage().maxRSS - before) / 1024;
  t.ok(used < 350, `${Math.round(used)} MiB`);
});
