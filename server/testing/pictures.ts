/** Pictures made on the spot. */
import sharp from 'sharp';

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff';

type Wanted = { format?: Format; width?: number; height?: number; colour?: string; orientation?: number };

/** One flat colour, small in bytes. */
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

/** Noise: hardly compresses, so that bytes and pixels are in the proportion of a photograph. */
export async function noise(width: number, height: number, format: Format = 'jpeg'): Promise<Buffer> {
  const image = sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });
  return image.toFormat(format).toBuffer();
}

export const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="red"/></svg>';
