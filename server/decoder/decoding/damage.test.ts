import sharp from 'sharp';
import t from 'tap';
import { pngChunk } from '../formats/png-chunk.ts';
import { animation, decodeBytes, photograph } from '../testing/pictures.ts';

const verify = async (bytes: Buffer) => {
  const outcome = await decodeBytes(bytes);
  return outcome.ok ? 'ok' : outcome.failure.code;
};

const picture = () => photograph(300, 220);
const MADE = {
  'baseline JPEG': await picture().jpeg().toBuffer(),
  'large JPEG, reduced while decoding': await photograph(1000, 750).jpeg({ quality: 60 }).toBuffer(),
  'progressive JPEG': await picture().jpeg({ progressive: true }).toBuffer(),
  'large progressive JPEG': await photograph(1000, 750).jpeg({ progressive: true, quality: 60 }).toBuffer(),
  PNG: await picture().png().toBuffer(),
  'interlaced PNG': await picture().png({ progressive: true }).toBuffer(),
  'lossy WebP': await picture().webp().toBuffer(),
  'large lossy WebP': await photograph(1000, 750).webp({ quality: 50, effort: 0 }).toBuffer(),
  'lossless WebP': await picture().webp({ lossless: true }).toBuffer(),
  'animated WebP': await animation(120, 90, 10).webp({ effort: 0 }).toBuffer(),
  GIF: await picture().gif().toBuffer(),
  'animated GIF': await animation(120, 90, 10).gif().toBuffer(),
  AVIF: await picture().avif({ effort: 0 }).toBuffer(),
  TIFF: await picture().tiff({ compression: 'none' }).toBuffer(),
  'LZW TIFF': await picture().tiff({ compression: 'lzw' }).toBuffer(),
  'JPEG TIFF': await picture().tiff({ compression: 'jpeg', tile: true }).toBuffer(),
  SVG: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">${'<circle r="9"/>'.repeat(60)}<!-- end --></svg>`,
  ),
};

for (const [name, whole] of Object.entries(MADE)) {
  t.test(`a truncated ${name} is rejected`, async (t) => {
    t.equal(await verify(whole), 'ok', 'the complete file is accepted');
    const cuts = new Set(Array.from({ length: 14 }, (_, i) => Math.max(12, Math.floor((whole.length * i) / 14))));
    for (const missing of [1, 2, 3, 4, 8, 12, 13, 16, 40]) cuts.add(whole.length - missing);
    for (const cut of cuts)
      t.equal(await verify(whole.subarray(0, cut)), 'DAMAGED_IMAGE', `${cut} of ${whole.length} bytes`);
  });
}

t.test('bytes after the end of a picture are ignored', async (t) => {
  for (const [name, whole] of Object.entries(MADE)) {
    if (name === 'SVG') continue; // XML ends with the file
    for (const tail of ['\0', 'junk', '\0'.repeat(4096), '<script>alert(1)</script>', 'PK\x03\x04'.repeat(50)]) {
      t.equal(
        await verify(Buffer.concat([whole, Buffer.from(tail)])),
        'ok',
        `${name} + ${JSON.stringify(tail.slice(0, 9))}`,
      );
    }
  }
});

t.test('a flipped byte in checksummed data is detected', async (t) => {
  for (const name of ['PNG', 'interlaced PNG'] as const) {
    for (let at = 10; at < MADE[name].length; at += Math.floor(MADE[name].length / 20)) {
      const flipped = Buffer.from(MADE[name]);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      t.not(await verify(flipped), 'ok', `${name} at ${at}`);
    }
  }
});

t.test('random damage yields an outcome for every format, never an exception', async (t) => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  for (const [name, whole] of Object.entries(MADE)) {
    if (whole.length > 300_000) continue;
    for (let round = 0; round < 8; round += 1) {
      const hurt = Buffer.from(whole);
      for (let i = 0; i < 20; i += 1) hurt[random(hurt.length)] = random(256);
      t.match(await verify(hurt), /^(ok|DAMAGED_IMAGE|NOT_AN_IMAGE|TOO_MANY_PIXELS)$/, name);
    }
  }
});

t.test('junk between the segments of a JPEG header is skipped', async (t) => {
  const whole = MADE['baseline JPEG'];
  const firstEnd = 4 + whole.readUInt16BE(4) - 2 + 2;
  const withJunk = (at: number, junk: string) =>
    Buffer.concat([whole.subarray(0, at), Buffer.from(junk, 'latin1'), whole.subarray(at)]);
  for (const junk of ['\0', 'junk of sixteen.', '\0'.repeat(300), 'a\xff\0b']) {
    t.equal(await verify(withJunk(firstEnd, junk)), 'ok', `${junk.length} bytes`);
  }
  const inScan = whole.length - 200;
  t.equal(await verify(withJunk(inScan, '\xff\xc4\0\x02'.repeat(3))), 'DAMAGED_IMAGE', 'junk in the scan is damage');
});

t.test('junk after a scan of a progressive JPEG is skipped, remains of damaged pixels are not', async (t) => {
  const whole = MADE['progressive JPEG'];
  const end = whole.length - 2;
  const table = whole.lastIndexOf(Buffer.from([0xff, 0xc4]));
  const withJunk = (at: number, junk: string | Buffer) =>
    Buffer.concat([whole.subarray(0, at), Buffer.from(junk), whole.subarray(at)]);
  for (const junk of ['\0', 'junk of sixteen.', '\0'.repeat(300)]) {
    t.equal(await verify(withJunk(end, junk)), 'ok', `${junk.length} bytes before the end`);
    t.equal(await verify(withJunk(table, junk)), 'ok', `${junk.length} bytes between two scans`);
  }
  t.equal(await verify(withJunk(end, whole.subarray(end - 40, end))), 'DAMAGED_IMAGE');
});

t.test('wrong checksums after all rows of a PNG are no damage', async (t) => {
  for (const name of ['PNG', 'interlaced PNG'] as const) {
    const whole = MADE[name];
    const end = Buffer.from(whole);
    end.writeUInt32BE(1, whole.length - 4);
    t.equal(await verify(end), 'ok', `${name}: IEND`);
    const pixels = whole.indexOf('IDAT');
    const contents: Buffer[] = [];
    for (let at = pixels; whole.toString('latin1', at, at + 4) === 'IDAT'; at += 12 + whole.readUInt32BE(at - 4))
      contents.push(whole.subarray(at + 4, at + 4 + whole.readUInt32BE(at - 4)));
    const stream = Buffer.concat(contents);
    // In two chunks, between which the checksum lies.
    const withStream = (content: Buffer) =>
      Buffer.concat([
        ...[whole.subarray(0, pixels - 4), pngChunk('IDAT', content.subarray(0, -2))],
        ...[pngChunk('IDAT', content.subarray(-2)), pngChunk('IEND', Buffer.alloc(0))],
      ]);
    const changed = (at: number) => {
      const copy = Buffer.from(stream);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return withStream(copy);
    };
    t.equal(await verify(withStream(stream)), 'ok', name);
    t.equal(await verify(changed(stream.length - 1)), 'ok', `${name}: Adler-32`);
    t.equal(await verify(withStream(stream.subarray(0, -400))), 'DAMAGED_IMAGE', `${name}: without the last rows`);
  }
});

t.test('an animation with a frame that does not decode is rejected', async (t) => {
  const gif = MADE['animated GIF'];
  const frame = gif.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
  const hurt = Buffer.from(gif);
  // No LZW code can be 13 bits wide at the start.
  hurt[frame + 10 + (((gif[frame + 9] ?? 0) & 0x80) === 0 ? 0 : 3 * 2 ** (((gif[frame + 9] ?? 0) & 7) + 1))] = 0x3f;
  t.equal(await verify(hurt), 'DAMAGED_IMAGE', 'GIF');
  const webp = MADE['animated WebP'];
  const last = webp.lastIndexOf('VP8');
  const broken = Buffer.from(webp);
  broken.fill(0xff, last + 8, last + 18);
  t.equal(await verify(broken), 'DAMAGED_IMAGE', 'WebP');
});

t.test('a TIFF with a page that does not decode is rejected', async (t) => {
  const pages = await sharp(
    await Promise.all([10, 20, 30].map((r) => photograph(64, 64).linear(1, r).png().toBuffer())),
    { join: { animated: true } },
  )
    .tiff({ compression: 'deflate' })
    .toBuffer();
  t.equal(await verify(pages), 'ok');
  t.equal((await sharp(pages).metadata()).pages, 3);
  const zlib = Buffer.from([0x78, 0x9c]);
  const second = pages.indexOf(zlib, pages.indexOf(zlib) + 4000);
  const hurt = Buffer.from(pages);
  hurt.fill(0xff, second + 2, second + 60);
  t.equal(await verify(hurt), 'DAMAGED_IMAGE');
});
