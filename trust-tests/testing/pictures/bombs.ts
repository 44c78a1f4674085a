/** Generates pictures that are small in bytes and expensive to decode. */
import { once } from 'node:events';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { flatAvif } from './flat-avif.ts';
import { gif, gifCanvas, gifFrames } from './gif-bombs.ts';

export type Bomb = { name: string; bytes: Buffer };

export function pngChunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Inserts chunks after the header of a PNG. */
export const withChunks = (png: Buffer, chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

async function zeros(count: number): Promise<Buffer> {
  const stream = createDeflate({ level: 9 });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const piece = Buffer.alloc(2 ** 20);
  for (let left = count; left > 0; left -= piece.length)
    if (!stream.write(piece.subarray(0, Math.min(left, piece.length)))) await once(stream, 'drain');
  stream.end();
  await once(stream, 'end');
  return Buffer.concat(chunks);
}

/** Starts and steps of Adam7's passes (PNG 8.1). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

type Png = { side: number; depth: 1 | 8 | 16; colour: 0 | 2 | 6; interlaced?: boolean };

/** Makes a square PNG of one colour. */
async function flatPng({ side, depth, colour, interlaced = false }: Png): Promise<Buffer> {
  const bits = depth * { 0: 1, 2: 3, 6: 4 }[colour];
  const bytesOf = (width: number, height: number) =>
    width > 0 && height > 0 ? height * (1 + Math.ceil((width * bits) / 8)) : 0;
  const pass = ([x, y, stepX, stepY]: (typeof passes)[number]) =>
    bytesOf(Math.ceil((side - x) / stepX), Math.ceil((side - y) / stepY));
  const total = interlaced ? passes.reduce((sum, each) => sum + pass(each), 0) : bytesOf(side, side);
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, colour, 0, 0, interlaced ? 1 : 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', await zeros(total)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

async function textPng(count: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  const megabytes = deflateSync(Buffer.alloc(7_900_000), { level: 9 });
  const chunk = (index: number) => pngChunk('zTXt', Buffer.concat([Buffer.from(`k${index}\0\0`), megabytes]));
  return withChunks(
    png,
    Array.from({ length: count }, (_, index) => chunk(index)),
  );
}

/** Makes a flat lossless WebP of any size: the size is two 14-bit numbers in the header, and no data depends on it. */
async function flatWebp(side: number): Promise<Buffer> {
  const webp = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#888' } })
    .webp({ lossless: true })
    .toBuffer();
  const at = webp.indexOf('VP8L') + 9;
  const flags = webp.readUInt32LE(at) >>> 28;
  webp.writeUInt32LE(((flags << 28) | ((side - 1) << 14) | (side - 1)) >>> 0, at);
  return webp;
}

const flat = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#888' }, limitInputPixels: false });

/** Repeats the last scan of a progressive JPEG. */
async function scans(count: number): Promise<Buffer> {
  const jpeg = await flat(1000).jpeg({ progressive: true }).toBuffer();
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(last, jpeg.length - 2);
  return Buffer.concat([jpeg.subarray(0, -2), ...new Array<Buffer>(count).fill(scan), jpeg.subarray(-2)]);
}

/** Makes a TIFF whose pages all point to the same grey pixel. */
function pages(count: number): Buffer {
  const entries = [
    [256, 3, 1, 1],
    [257, 3, 1, 1],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 3, 1, 1],
    [279, 4, 1, 1],
  ] as const;
  const size = 2 + entries.length * 12 + 4;
  const bytes = Buffer.alloc(10 + count * size);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(10, 4);
  for (let page = 0; page < count; page += 1) {
    const at = 10 + page * size;
    bytes.writeUInt16LE(entries.length, at);
    for (const [index, [tag, type, values, value]] of entries.entries()) {
      const entry = at + 2 + index * 12;
      bytes.writeUInt16LE(tag, entry);
      bytes.writeUInt16LE(type, entry + 2);
      bytes.writeUInt32LE(values, entry + 4);
      bytes.writeUInt32LE(value, entry + 8);
    }
    bytes.writeUInt32LE(page === count - 1 ? 0 : at + size, at + size - 4);
  }
  return bytes;
}

/** Makes an animation that repeats one flat picture. */
async function webpFrames(side: number, count: number): Promise<Buffer> {
  const picture = (await flatWebp(side)).subarray(12);
  const chunk = (type: string, content: Buffer) => {
    const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
  };
  const whole = Buffer.alloc(10);
  // The flags (2: animated), then width and height of the canvas minus one in three bytes each.
  whole[0] = 2;
  whole.writeUIntLE(side - 1, 4, 3);
  whole.writeUIntLE(side - 1, 7, 3);
  const frame = Buffer.alloc(16);
  frame.writeUIntLE(side - 1, 6, 3);
  frame.writeUIntLE(side - 1, 9, 3);
  frame.writeUIntLE(40, 12, 3);
  const frames = new Array<Buffer>(count).fill(chunk('ANMF', Buffer.concat([frame, picture])));
  return chunk(
    'RIFF',
    Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', whole), chunk('ANIM', Buffer.alloc(6)), ...frames]),
  );
}

/** Makes a TIFF of one colour whose strips are all the same deflated bytes. */
function flatTiff(side: number): Buffer {
  const rows = 100;
  const strip = deflateSync(Buffer.alloc(side * rows * 3, 0x88), { level: 9 });
  const count = Math.ceil(side / rows);
  const [offsets, counts, bits] = [8, 8 + count * 4, 8 + count * 8];
  const entries = [
    [256, 4, 1, side],
    [257, 4, 1, side],
    [258, 3, 3, bits],
    [259, 3, 1, 8],
    [262, 3, 1, 2],
    [273, 4, count, offsets],
    [277, 3, 1, 3],
    [278, 4, 1, rows],
    [279, 4, count, counts],
  ] as const;
  const data = bits + 6;
  const directory = data + strip.length + (strip.length % 2);
  const bytes = Buffer.alloc(directory + 2 + entries.length * 12 + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(directory, 4);
  for (let at = 0; at < count; at += 1) {
    bytes.writeUInt32LE(data, offsets + at * 4);
    bytes.writeUInt32LE(strip.length, counts + at * 4);
  }
  for (const at of [0, 2, 4]) bytes.writeUInt16LE(8, bits + at);
  strip.copy(bytes, data);
  bytes.writeUInt16LE(entries.length, directory);
  for (const [index, [tag, type, values, value]] of entries.entries()) {
    const entry = directory + 2 + index * 12;
    bytes.writeUInt16LE(tag, entry);
    bytes.writeUInt16LE(type, entry + 2);
    bytes.writeUInt32LE(values, entry + 4);
    bytes.writeUInt32LE(value, entry + 8);
  }
  return bytes;
}

/** Changes the size in the header of an AVIF, against code that trusts the header. */
function resized(avif: Buffer, side: number): Buffer {
  const bytes = Buffer.from(avif);
  const at = bytes.indexOf('ispe') + 8;
  bytes.writeUInt32BE(side, at);
  bytes.writeUInt32BE(side, at + 4);
  return bytes;
}

const svg = (inside: string, side = 400) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${side}" height="${side}">${inside}</svg>`,
  );

const uses = (levels: number) =>
  `<defs><g id="g0"><rect width="9" height="9"/></g>${Array.from(
    { length: levels },
    (_, level) => `<g id="g${level + 1}">${`<use xlink:href="#g${level}" x="1"/>`.repeat(10)}</g>`,
  ).join('')}</defs><use xlink:href="#g${levels}"/>`;

const blurs = (count: number) =>
  `<filter id="f" x="-5" y="-5" width="11" height="11">${'<feGaussianBlur stdDeviation="900"/>'.repeat(count)}</filter>` +
  '<rect width="4000" height="4000" filter="url(#f)"/>';

const laughs = () => {
  const entities = Array.from({ length: 12 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`);
  return `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities.join('')}]>`;
};

/** Makes an SVG of 400 px with embedded pictures of `side` pixels, each with a different address. */
async function drawingOf(side: number, { count = 1, depth = 8 }: { count?: number; depth?: 8 | 16 } = {}) {
  const png = (await flatPng({ side, depth, colour: 6 })).toString('base64');
  const image = (_: unknown, index: number) =>
    `<image width="400" height="400" xlink:href="data:image/png;i=${index};base64,${png}"/>`;
  return svg(Array.from({ length: count }, image).join(''));
}

/** Makes an SVG with a picture of one pixel whose colour profile inflates to this many bytes. */
async function drawingWithProfile(bytes: number) {
  const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), await zeros(bytes)]));
  const png = withChunks(await flatPng({ side: 1, depth: 8, colour: 2 }), [profile]);
  return svg(`<image width="400" height="400" href="data:image/png;base64,${png.toString('base64')}"/>`);
}

/** Just within the pixel limit: the most expensive accepted picture. */
export const largestAvif: Bomb = { name: '5400.avif', bytes: flatAvif(5400) };

export async function makeBombs(): Promise<Bomb[]> {
  return [
    { name: '64 zTXt.png', bytes: await textPng(64) },
    { name: '400 zTXt.png', bytes: await textPng(400) },
    { name: '990 zTXt.png', bytes: await textPng(990) },
    { name: '16383 1-bit.png', bytes: await flatPng({ side: 16_383, depth: 1, colour: 0 }) },
    {
      name: '10000 1-bit interlaced.png',
      bytes: await flatPng({ side: 10_000, depth: 1, colour: 0, interlaced: true }),
    },
    {
      name: '6400 RGBA16 interlaced.png',
      bytes: await flatPng({ side: 6400, depth: 16, colour: 6, interlaced: true }),
    },
    largestAvif,
    { name: '5000.avif', bytes: flatAvif(5000) },
    { name: '10000.avif', bytes: flatAvif(10_000) },
    { name: '5400 that says 64.avif', bytes: resized(flatAvif(5400), 64) },
    { name: '10000.gif', bytes: gif(10_000) },
    { name: '1 on 65535.gif', bytes: gifCanvas(65_535) },
    { name: '20000 frames.gif', bytes: gifFrames(1000, 20_000) },
    { name: '16383.webp', bytes: await flatWebp(16_383) },
    { name: '10000.webp', bytes: await flatWebp(10_000) },
    { name: '60 frames.webp', bytes: await webpFrames(2000, 60) },
    { name: '10000 progressive.jpg', bytes: await flat(10_000).jpeg({ progressive: true, quality: 30 }).toBuffer() },
    { name: '5000 scans.jpg', bytes: await scans(5000) },
    { name: '10000 pages.tiff', bytes: pages(10_000) },
    { name: '10000.tiff', bytes: flatTiff(10_000) },
    { name: '16000.tiff', bytes: flatTiff(16_000) },
    { name: '9000 in a drawing.svg', bytes: await drawingOf(9000) },
    { name: '5100 in a drawing.svg', bytes: await drawingOf(5100) },
    { name: '4300 RGBA16 in a drawing.svg', bytes: await drawingOf(4300, { depth: 16 }) },
    { name: '25 of 1500 in a drawing.svg', bytes: await drawingOf(1500, { count: 25 }) },
    { name: '1 GB profile in a drawing.svg', bytes: await drawingWithProfile(1e9) },
    { name: 'uses.svg', bytes: svg(uses(9)) },
    { name: 'blurs.svg', bytes: svg(blurs(20), 4000) },
    { name: 'laughs.svg', bytes: Buffer.concat([Buffer.from(laughs()), svg('<text y="9">&e12;</text>')]) },
  ];
}
