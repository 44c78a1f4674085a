/** TIFFs that sharp does not write, of 64 x 48 px and not compressed. */
export type Tiff = {
  bits: number;
  /** 1: without a sign, 2: with one, 3: float (SampleFormat). */
  format: number;
  photometric: number;
  samples: number;
  planes?: boolean;
  compression?: number;
  /** The value at a place from 0 (left) to 1. */
  sample: (at: number, index: number) => number;
  extra?: [tag: number, values: number[]][];
};

const WIDTH = 64;
const HEIGHT = 48;

export const floatTiff = (samples: number): Tiff => ({
  ...{ bits: 32, format: 3, photometric: samples === 1 ? 1 : 2, samples },
  sample: (at, index) => (index === 3 ? 1 : at),
});

/** @param more a picture in a directory below the first, or after it */
export function tiffOf(tiff: Tiff, { inside, next }: { inside?: Tiff; next?: Tiff } = {}): Buffer {
  const head = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  const other = inside ?? next;
  const first = (pointer: number) => directoryOf(tiff, 8, inside ? pointer : 0, next ? pointer : 0);
  const at = 8 + first(1).length;
  return Buffer.concat([head, first(at), ...(other ? [directoryOf(other, at, 0, 0)] : [])]);
}

/** A directory at a place in the file, followed by its values and pixels. */
function directoryOf(tiff: Tiff, at: number, inside: number, next: number): Buffer {
  const { bits, format, photometric, samples, planes = false, compression = 1, extra = [] } = tiff;
  const pixels = pixelsOf(tiff);
  const strips = planes ? samples : 1;
  const same = (value: number, count: number) => Array.from({ length: count }, () => value);
  const longs = new Set([273, 279, 330]);
  const entries = (pixelsAt: number): [number, number[]][] => [
    ...([
      [256, [WIDTH]],
      [257, [HEIGHT]],
      [258, same(bits, samples)],
      [259, [compression]],
    ] as [number, number[]][]),
    [262, [photometric]],
    [273, Array.from({ length: strips }, (_, index) => pixelsAt + (index * pixels.length) / strips)],
    ...([
      [277, [samples]],
      [278, [HEIGHT]],
      [279, same(pixels.length / strips, strips)],
    ] as [number, number[]][]),
    ...([[284, [planes ? 2 : 1]], ...(inside > 0 ? [[330, [inside]]] : [])] as [number, number[]][]),
    ...([[339, same(format, samples)], ...extra] as [number, number[]][]),
  ];
  const build = (pixelsAt: number): Buffer => {
    const sorted = entries(pixelsAt).sort(([one], [other]) => one - other);
    const table = Buffer.alloc(2 + 12 * sorted.length + 4);
    table.writeUInt16LE(sorted.length, 0);
    table.writeUInt32LE(next, table.length - 4);
    let far = Buffer.alloc(0);
    for (const [index, [tag, values]] of sorted.entries()) {
      const size = longs.has(tag) ? 4 : 2;
      const value = Buffer.alloc(Math.max(4, size * values.length));
      for (const [place, number] of values.entries()) value.writeUIntLE(number, place * size, size);
      const entry = 2 + 12 * index;
      table.writeUInt16LE(tag, entry);
      table.writeUInt16LE(size === 4 ? 4 : 3, entry + 2);
      table.writeUInt32LE(values.length, entry + 4);
      if (value.length === 4) value.copy(table, entry + 8);
      else table.writeUInt32LE(at + table.length + far.length, entry + 8);
      if (value.length > 4) far = Buffer.concat([far, value]);
    }
    return Buffer.concat([table, far]);
  };
  return Buffer.concat([build(at + build(0).length), pixels]);
}

function pixelsOf({ bits, format, samples, planes, sample }: Tiff): Buffer {
  const bytes = bits / 8;
  const data = Buffer.alloc(WIDTH * HEIGHT * samples * bytes);
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel += 1) {
    for (let index = 0; index < samples; index += 1) {
      const at = bytes * (planes ? index * WIDTH * HEIGHT + pixel : pixel * samples + index);
      const value = sample((pixel % WIDTH) / (WIDTH - 1), index);
      if (format === 3 && bits === 16) data.writeUInt16LE(halfOf(value), at);
      else if (format === 3) data.writeFloatLE(value, at);
      else if (format === 2) data.writeIntLE(Math.round(value), at, bytes);
      else data.writeUIntLE(Math.round(value), at, bytes);
    }
  }
  return data;
}

/** IEEE 754 binary16 of a value from 0 to 1; the smallest become 0. */
function halfOf(value: number): number {
  const bits = Buffer.alloc(4);
  bits.writeFloatBE(value);
  const exponent = ((bits.readUInt32BE() >>> 23) & 255) - 127 + 15;
  return exponent <= 0 ? 0 : (exponent << 10) | ((bits.readUInt32BE() >>> 13) & 0x3ff);
}
