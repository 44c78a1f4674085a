import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import t from 'tap';
import { createMemoryBudget } from '../pool/memory-budget.ts';
import { withProperties } from '../testing/heif-properties.ts';
import {
  animation,
  colourAt,
  decodeBytes,
  difference,
  fileOf,
  inspectBytes,
  LIMITS,
  photograph,
  quarters,
} from '../testing/pictures.ts';

const verify = async (bytes: Buffer | string, limits = LIMITS) => {
  const outcome = await decodeBytes(bytes, limits);
  return outcome.ok ? 'ok' : `${outcome.failure.code}: ${outcome.failure.detail}`;
};

t.test('a picture over the pixel limit is rejected by its header', async (t) => {
  const limits = { ...LIMITS, maxPixels: 10_000, maxHeavyPixels: 2_500 };
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff'] as const) {
    t.equal(await verify(await quarters(100, 100).toFormat(format).toBuffer(), limits), 'ok', `${format} at the limit`);
    const over = await quarters(101, 100).toFormat(format).toBuffer();
    t.equal(await verify(over, limits), 'TOO_MANY_PIXELS: at most 10,000', `${format} over it`);
  }
  t.equal(await verify(await quarters(50, 50).avif().toBuffer(), limits), 'ok', 'AVIF has a separate limit');
  t.equal(await verify(await quarters(51, 50).avif().toBuffer(), limits), 'TOO_MANY_PIXELS: at most 2,500');
  const svg = (side: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="100"/>`;
  t.equal(await verify(svg(100), limits), 'ok');
  t.equal(await verify(svg(101), limits), 'TOO_MANY_PIXELS: at most 10,000');
});

t.test('a crop hides neither the size nor the memory of an AVIF', async (t) => {
  const clap = Buffer.alloc(32);
  for (const [index, value] of [10, 1, 10, 1, 0, 1, 0, 1].entries()) clap.writeUInt32BE(value, 4 * index);
  const cropped = withProperties(await quarters(51, 50).avif().toBuffer(), ['clap', clap]);
  t.match(await inspectBytes(cropped), { width: 10, height: 10, memory: 20 * 51 * 50 });
  t.equal(await verify(cropped, { ...LIMITS, maxHeavyPixels: 2_500 }), 'TOO_MANY_PIXELS: at most 2,500');
});

t.test('the frames of a WebP and the pages of a TIFF have a common pixel limit', async (t) => {
  const limits = { ...LIMITS, maxPixels: 10_000 };
  for (const format of ['webp', 'tiff'] as const) {
    t.equal(await verify(await animation(100, 100, 10).toFormat(format).toBuffer(), limits), 'ok', format);
    t.equal(
      await verify(await animation(100, 100, 11).toFormat(format).toBuffer(), limits),
      'TOO_MANY_PIXELS: all frames or pages together at most 100,000',
    );
  }
});

t.test('a frame counts only the pixels that it changes', async (t) => {
  const limits = { ...LIMITS, maxPixels: 10_000 };
  t.equal(await verify(await animation(100, 100, 50).gif().toBuffer(), limits), 'ok', 'a GIF is judged by its bytes');
  // Frames that differ in one pixel: libwebp stores that pixel only.
  const frames = Buffer.alloc(100 * 100 * 3 * 200, 90);
  for (let frame = 0; frame < 200; frame += 1) frames[frame * 30_000 + frame * 3] = 200;
  const recording = sharp(frames, { raw: { width: 100, height: 20_000, channels: 3, pageHeight: 100 } });
  t.equal(await verify(await recording.webp({ effort: 0, lossless: true }).toBuffer(), limits), 'ok', 'WebP');
});

t.test('a long animation is decoded completely in little memory', async (t) => {
  const frame = await animation(1280, 720, 2).webp({ effort: 0 }).toBuffer();
  const long = repeatFrames(frame, 50);
  t.equal((await sharp(long).metadata()).pages, 100);
  const before = process.resourceUsage().maxRSS;
  t.equal(await verify(long), 'ok');
  t.ok(process.resourceUsage().maxRSS - before < 150 * 1024, `${process.resourceUsage().maxRSS - before} kB more`);
});

/** Repeats the frames of an animation: two frames from sharp become hundreds at no cost. */
function repeatFrames(webp: Buffer, times: number): Buffer {
  const first = webp.indexOf('ANMF');
  const body = Buffer.concat([webp.subarray(8, first), ...Array.from({ length: times }, () => webp.subarray(first))]);
  const head = Buffer.from('RIFF\0\0\0\0');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

const withChunks = (png: Buffer, chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

t.test('text chunks that inflate to gigabytes are not passed to the decoder', async (t) => {
  const png = await quarters(64, 48).png().toBuffer();
  const megabytes = deflateSync(Buffer.alloc(7_900_000));
  const bombs = Array.from({ length: 64 }, (_, i) =>
    i % 2 === 0
      ? chunk('zTXt', Buffer.concat([Buffer.from(`k${i}\0\0`), megabytes]))
      : chunk('iTXt', Buffer.concat([Buffer.from(`k${i}\0\x01\0\0\0`), megabytes])),
  );
  t.equal(await verify(withChunks(png, bombs)), 'ok');
  const picture = await inspectBytes(withChunks(png, bombs));
  t.equal(picture.input.indexOf('zTXt'), -1);
  t.equal(picture.input.indexOf('iTXt'), -1);
});

t.test('large profiles and EXIF of a PNG are dropped, small ones are kept', async (t) => {
  const png = await quarters(64, 48).png().toBuffer();
  const large = withChunks(png, [chunk('eXIf', Buffer.alloc(300_000)), chunk('tIME', Buffer.alloc(7))]);
  t.equal(await verify(large), 'ok');
  t.equal((await inspectBytes(large)).input.indexOf('eXIf'), -1);
  const kept = await inspectBytes(await quarters(64, 48).withIccProfile('p3').png().toBuffer());
  t.type(kept.input, 'string', 'the file is decoded unchanged');
  t.equal(
    (await inspectBytes(await quarters(64, 48).withMetadata({ orientation: 6 }).png().toBuffer())).orientation,
    6,
  );
});

t.test('common harmless PNG chunks need no copy; other chunks are dropped from a copy', async (t) => {
  const png = await quarters(64, 48).png().toBuffer();
  const bare = withoutNotes(png);
  const text = (type: string, content: string) => chunk(type, Buffer.from(content, 'latin1'));
  const fine = {
    resolution: chunk('pHYs', Buffer.from([0, 0, 11, 19, 0, 0, 11, 19, 1])),
    time: chunk('tIME', Buffer.from([7, 0xea, 2, 28, 23, 59, 60])),
    text: text('tEXt', 'Creation Time\0today'),
    'plain iTXt': text('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0<x/>'),
  };
  const left = {
    'compressed text': chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(9))])),
    'compressed iTXt': text('iTXt', 'a\0\x01\0\0\0'),
    'text without a keyword': text('tEXt', '\0today'),
    'a long text': text('tEXt', `a\0${'b'.repeat(20_000)}`),
    'a wrong time': chunk('tIME', Buffer.alloc(7)),
    'a wrong resolution': chunk('pHYs', Buffer.alloc(8)),
    'an unknown chunk': chunk('abCd', Buffer.alloc(8)),
  };
  const all = withChunks(bare, Object.values(fine));
  t.type((await inspectBytes(all)).input, 'string', 'all fine ones together');
  t.equal(await verify(all), 'ok');
  for (const [name, note] of Object.entries(left)) {
    const noted = withChunks(bare, [note]);
    t.strictSame((await inspectBytes(noted)).input, bare, name);
    t.equal(await verify(noted), 'ok', name);
  }
  const [note] = Object.values(fine);
  if (note) t.ok(Buffer.isBuffer((await inspectBytes(withChunks(bare, [note, note]))).input), 'twice the same');
  const many = Array.from({ length: 17 }, (_, i) => text('tEXt', `k${i}\0v`));
  t.ok(Buffer.isBuffer((await inspectBytes(withChunks(bare, many))).input), 'very many');
});

/** The output of sharp, without the resolution it adds. */
function withoutNotes(png: Buffer): Buffer {
  const at = png.indexOf('pHYs') - 4;
  return at < 0 ? png : Buffer.concat([png.subarray(0, at), png.subarray(at + 21)]);
}

t.test('the decoder’s memory is estimated from the coding before decoding', async (t) => {
  const memory = async (image: Sharp) => (await inspectBytes(await image.toBuffer())).memory;
  const picture = () => quarters(1000, 1000);
  t.equal(await memory(picture().jpeg()), 0, 'row by row');
  t.equal(await memory(picture().png()), 0, 'row by row');
  t.equal(await memory(picture().jpeg({ progressive: true })), 3_000_000, '2 bytes for each of 1.5 samples');
  t.equal(await memory(picture().jpeg({ progressive: true, chromaSubsampling: '4:4:4' })), 6_000_000);
  t.equal(await memory(picture().png({ progressive: true })), 3_000_000);
  t.equal(await memory(picture().ensureAlpha().toColourspace('rgb16').png({ progressive: true })), 8_000_000);
  t.equal(await memory(picture().avif()), 20_000_000);
});

t.test('an interlaced PNG has a separate limit, since it is held whole', async (t) => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 16, 6, 0, 0, 1]);
  header.writeUInt32BE(9000, 0);
  header.writeUInt32BE(9000, 4);
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  t.equal(await verify(png), 'TOO_MANY_PIXELS: of this kind at most 41,943,040');
});

t.test('an SVG reads no files and contacts no servers', async (t) => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const red = await sharp({ create: { width: 50, height: 50, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const file = await fileOf(t, red, 'red.png');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const document = (image: string) =>
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "${image}">]><?xml-stylesheet href="${url}/s.css" type="text/css"?>` +
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="50" height="50">' +
    `<style>@import url(${url}/i.css);@font-face{font-family:f;src:url(${url}/f.woff)}</style>` +
    `<rect width="50" height="50" fill="white"/><image width="50" height="50" href="${image}" xlink:href="${image}"/>` +
    `<use xlink:href="${url}/u.svg#a"/><script href="${url}/s.js"/><text font-family="f" y="60">a</text></svg>`;
  for (const image of [`file://${file}`, file, 'red.png', `${url}/red.png`]) {
    const outcome = await decodeBytes(document(image));
    if (!outcome.ok) continue;
    t.ok(difference(await colourAt(outcome.image.thumbnail, 0.5, 0.4), [255, 255, 255, 255]) < 8, image);
  }
  t.equal(asked, 0);
});

t.test('an SVG with exponential entities or excessive size is rejected', async (t) => {
  const entities = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
  const laughs = `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&e12;</text></svg>`;
  t.equal(await verify(laughs), 'DAMAGED_IMAGE: its data is corrupt');
  const huge = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${' '.repeat(11 * 1024 * 1024)}--></svg>`;
  t.equal(await verify(huge), 'DAMAGED_IMAGE: an SVG may have 10 MB at most');
});

t.test('a TIFF may have at most 200 pages', async (t) => {
  const pages = (count: number) =>
    sharp(animatedPages(count), { raw: { width: 4, height: 4 * count, channels: 3, pageHeight: 4 } })
      .tiff({ compression: 'none' })
      .toBuffer();
  t.equal(await verify(await pages(200)), 'ok');
  t.equal(await verify(await pages(201)), 'TOO_MANY_PIXELS: pages at most 200');
});

const animatedPages = (count: number) => Buffer.alloc(4 * 4 * 3 * count, 90);

t.test('large XMP packets are accepted', async (t) => {
  const source = () =>
    photograph(200, 100).withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${' '.repeat(60_000)}</x:xmpmeta>`);
  for (const format of ['jpeg', 'webp', 'tiff', 'png', 'avif'] as const) {
    t.equal(await verify(await source().toFormat(format).toBuffer()), 'ok', format);
  }
});

t.test('heavy pictures are decoded concurrently only within the memory budget', async (t) => {
  const budget = createMemoryBudget(100);
  const entered: string[] = [];
  const grants = { a: budget.request(), b: budget.request(), c: budget.request(), d: budget.request() };
  grants.a.whenFree(60, () => entered.push('a'));
  grants.b.whenFree(60, () => entered.push('b'));
  grants.c.whenFree(10, () => entered.push('c'));
  grants.d.whenFree(900, () => entered.push('d'));
  t.strictSame(entered, ['a'], 'later requests do not overtake waiting ones');
  grants.b.release();
  t.strictSame(entered, ['a', 'c'], 'a cancelled request lets the next one proceed');
  grants.a.release();
  grants.a.release();
  t.strictSame(entered, ['a', 'c'], 'a request above the budget waits until all memory is free');
  grants.c.release();
  t.strictSame(entered, ['a', 'c', 'd']);
});

t.test('with little memory left on the system, heavy pictures are decoded one by one', async (t) => {
  let left = 100;
  const budget = createMemoryBudget(1000, () => left);
  const entered: string[] = [];
  const grants = { a: budget.request(), b: budget.request(), c: budget.request() };
  grants.a.whenFree(60, () => entered.push('a'));
  grants.b.whenFree(60, () => entered.push('b'));
  t.strictSame(entered, ['a'], 'the first picture may not have allocated its memory yet');
  grants.a.release();
  t.strictSame(entered, ['a', 'b']);
  left = 120;
  grants.c.whenFree(60, () => entered.push('c'));
  t.strictSame(entered, ['a', 'b', 'c']);
});
