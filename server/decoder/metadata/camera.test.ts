import sharp from 'sharp';
import t from 'tap';
import { decodeBytes, photograph } from '../testing/pictures.ts';
import { heldBytes } from './bytes/held-bytes.ts';
import { cameraOf } from './camera.ts';

/** @returns the camera of an accepted file, or `refused` */
async function cameraIn(bytes: Buffer): Promise<string | null> {
  const outcome = await decodeBytes(bytes);
  return outcome.ok ? outcome.image.camera : 'refused';
}

const from = (Make: string, Model: string) => photograph(60, 40).withExif({ IFD0: { Make, Model } });

t.test('the camera is read from every format with EXIF', async (t) => {
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    t.equal(await cameraIn(await from('Acme', 'Pocket 1').toFormat(format).toBuffer()), 'Acme Pocket 1', format);
  }
  for (const format of ['jpeg', 'gif', 'tiff'] as const) {
    t.equal(await cameraIn(await photograph(60, 40).toFormat(format).toBuffer()), null, `none in a plain ${format}`);
  }
  t.equal(await cameraIn(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')), null);
});

/** A directory of text entries, as in EXIF and TIFF. @param little the byte order */
function table(texts: readonly (readonly [tag: number, value: Buffer])[], little = true): Buffer {
  const end = 8 + 2 + 12 * texts.length + 4;
  const head = Buffer.alloc(end);
  const short = (value: number, at: number) => (little ? head.writeUInt16LE(value, at) : head.writeUInt16BE(value, at));
  const long = (value: number, at: number) => (little ? head.writeUInt32LE(value, at) : head.writeUInt32BE(value, at));
  head.write(little ? 'II' : 'MM');
  short(42, 2);
  long(8, 4);
  short(texts.length, 8);
  const values: Buffer[] = [];
  let at = end;
  for (const [index, [tag, value]] of texts.entries()) {
    const entry = 10 + 12 * index;
    short(tag, entry);
    short(2, entry + 2);
    long(value.length, entry + 4);
    if (value.length <= 4) {
      value.copy(head, entry + 8);
      continue;
    }
    long(at, entry + 8);
    values.push(value);
    at += value.length;
  }
  return Buffer.concat([head, ...values]);
}

const read = (exif: Buffer) => cameraOf(heldBytes(Buffer.alloc(0)), 'jpeg', exif);
const made = (make: string, model: string, encoding: BufferEncoding = 'utf8') => [
  [0x010f, Buffer.from(`${make}\0`, encoding)] as const,
  [0x0110, Buffer.from(`${model}\0`, encoding)] as const,
];

t.test('a maker that is part of the model appears once', async (t) => {
  const cameras = [
    ['Canon', 'Canon EOS R5', 'Canon EOS R5'],
    ['NIKON CORPORATION', 'NIKON D850', 'NIKON D850'],
    ['Apple', 'iPhone 15', 'Apple iPhone 15'],
    ['Acme', '', 'Acme'],
    ['', 'Pocket 1', 'Pocket 1'],
    ['  ', ' ', null],
  ] as const;
  for (const [make, model, camera] of cameras) {
    t.equal(read(table(made(make, model))), camera, `${make} / ${model}`);
  }
});

t.test('EXIF is read in either byte order, with and without its header, and from a TIFF', async (t) => {
  for (const little of [true, false]) {
    const exif = table(made('Acme', 'Pocket 1'), little);
    t.equal(read(exif), 'Acme Pocket 1');
    t.equal(read(Buffer.concat([Buffer.from('Exif\0\0'), exif])), 'Acme Pocket 1');
    t.equal(cameraOf(heldBytes(exif), 'tiff', undefined), 'Acme Pocket 1');
  }
});

t.test('the camera is untrusted text: one line of at most 100 characters', async (t) => {
  t.equal(read(table(made('Acme', 'Größe 一'))), 'Acme Größe 一');
  t.equal(read(table(made('Acmé', 'Größe', 'latin1'))), 'Acmé Größe');
  t.equal(read(table(made('A\u202eb\r\n\u0007c', 'model\0serial number'))), 'A b c model');
  t.equal(read(table(made('Acme', 'x'.repeat(5000))))?.length, 100);
});

t.test('an invalid directory has no camera, a truncated one what remains of it', async (t) => {
  const whole = table(made('Acme', 'Pocket 1'));
  t.equal(read(Buffer.alloc(0)), null);
  t.equal(read(Buffer.from('neither here nor there')), null);
  const values = whole.indexOf('Acme');
  for (let length = 0; length < whole.length; length += 1) {
    const held = whole.toString('utf8', values, Math.max(values, length)).replaceAll('\0', ' ').trim();
    t.equal(read(whole.subarray(0, length)), held || null, `cut at ${length}`);
  }
  const astray = Buffer.from(whole);
  astray.writeUInt32LE(0xffff_fff0, 18);
  t.equal(read(astray), 'Pocket 1', 'a value outside the file');
  const endless = Buffer.from(whole);
  endless.writeUInt32LE(0xffff_ffff, 14);
  t.equal(read(endless), 'Acme Pocket 1', 'a value longer than the file ends at its first NUL');
});

t.test('renditions do not contain the camera', async (t) => {
  const outcome = await decodeBytes(await from('Acme', 'Pocket 1').jpeg().toBuffer());
  if (!outcome.ok) throw new Error(outcome.failure.code);
  t.equal((await sharp(outcome.image.thumbnail).metadata()).exif, undefined);
});
