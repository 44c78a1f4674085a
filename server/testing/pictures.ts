/** Generated pictures. */
import sharp from 'sharp';

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff';

type Wanted = { format?: Format; width?: number; height?: number; colour?: string; orientation?: number };

/** A flat colour, small in bytes. */
export async function picture({
  format = 'png',
  width = 64,
  height = 48,
  colour = '#3a7',
  orientation,
}: Wanted = {}): Promise<Buffer> {
  const image = sharp({ create: { width, height, channels: 3, background: colour } });
  return (orientation ? image.withMetadata({ orientation }) : image).toFormat(format).toBuffer();
}

/** Noise, which hardly compresses: its ratio of bytes to pixels is that of a photograph. */
export async function noise(width: number, height: number, format: Format = 'jpeg'): Promise<Buffer> {
  const image = sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });
  return image.toFormat(format).toBuffer();
}

/** Three bytes a pixel and fast to generate: one colour, uncompressed. */
export async function bulky(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3a7' } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** Grain and shapes, which AVIF compresses better than WebP. */
export async function grainyPhotograph(width: number, height: number, seed = 1): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 + seed };
  const grain = await sharp({ create: { width: 200, height: 150, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer();
  return sharp(grain).resize(width, height, { fit: 'fill', kernel: 'cubic' }).jpeg({ quality: 85 }).toBuffer();
}

export const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="red"/></svg>';

/** A photograph with a phone's metadata: location and camera. */
export async function placed(width = 400, height = 300): Promise<Buffer> {
  const exif = {
    IFD0: { Make: 'Acme', Model: 'Pocket 1' },
    IFD2: { BodySerialNumber: 'SN-4711-0815' },
    IFD3: {
      GPSLatitudeRef: 'N',
      GPSLatitude: '48/1 51/1 2940/100',
      GPSLongitudeRef: 'E',
      GPSLongitude: '2/1 17/1 4020/100',
    },
  };
  return sharp(await noise(width, height))
    .withExif(exif)
    .jpeg()
    .toBuffer();
}

/** A valid photograph with so many unknown segments that its metadata cannot be checked. */
export async function unreadable(width = 400, height = 300): Promise<Buffer> {
  const whole = await noise(width, height);
  const part = Buffer.from([0xff, 0xe9, 0, 6, ...Buffer.from('what')]);
  return Buffer.concat([whole.subarray(0, 2), ...new Array<Buffer>(5000).fill(part), whole.subarray(2)]);
}
