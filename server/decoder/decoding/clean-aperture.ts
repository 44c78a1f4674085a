/** The crop of a HEIC's primary picture (`clap`, ISO/IEC 14496-12, 12.1.4). */
import { heldBytes } from '../metadata/bytes/held-bytes.ts';
import { createRedactor } from '../metadata/bytes/redactor.ts';
import { regionOf } from '../metadata/bytes/region.ts';
import { propertiesOfPrimary } from '../metadata/formats/heif-properties.ts';

export type Crop = { left: number; top: number; width: number; height: number };

type Placed = { crop: Crop; width: number; height: number };

/**
 * Takes the crop out of a file in memory: libheif gives its HEVC decoder memory for the cropped size only.
 * @returns the crop in the decoded picture, after rotation and mirroring; undefined if there is none
 */
export function takeCrop(bytes: Buffer): Crop | undefined {
  const properties = propertiesOfPrimary(regionOf(createRedactor(heldBytes(bytes)), [[0, bytes.length]]));
  const extent = properties.find(({ type }) => type === 'ispe')?.content.part(4, 12);
  if (extent?.length !== 8) return undefined;
  const whole = { width: extent.readUInt32BE(0), height: extent.readUInt32BE(4) };
  let placed: Placed | undefined;
  for (const { type, content } of properties) {
    const [first = 0] = content.part(0, 1);
    if (type === 'clap' && content.length === 32) {
      placed = { ...whole, crop: cropOf(content.part(0, 32), whole) };
      const at = content.spans[0]?.[0] ?? 0;
      [whole.width, 1, whole.height, 1, 0, 1, 0, 1].forEach((value, index) => {
        bytes.writeUInt32BE(value, at + 4 * index);
      });
    } else if (placed && type === 'irot') {
      for (let turns = first & 3; turns > 0; turns -= 1) placed = turned(placed);
    } else if (placed && type === 'imir') {
      placed = mirrored(placed, (first & 1) === 0);
    }
  }
  return placed?.crop;
}

/** The crop's size, and the distance of its centre from the picture's, as fractions. Clamped to the picture. */
function cropOf(box: Buffer, { width, height }: { width: number; height: number }): Crop {
  const fraction = (at: number) => box.readInt32BE(at) / (box.readInt32BE(at + 4) || 1);
  const span = (size: number, offset: number, length: number) => {
    const cut = Math.min(Math.max(1, Math.round(size)), length);
    return [Math.min(Math.max(0, Math.round((length - cut) / 2 + offset)), length - cut), cut] as const;
  };
  const [left, wide] = span(fraction(0), fraction(16), width);
  const [top, high] = span(fraction(8), fraction(24), height);
  return { left, top, width: wide, height: high };
}

/** A quarter turn, anticlockwise. */
const turned = ({ crop, width, height }: Placed): Placed => ({
  crop: { left: crop.top, top: width - crop.left - crop.width, width: crop.height, height: crop.width },
  width: height,
  height: width,
});

function mirrored({ crop, width, height }: Placed, upsideDown: boolean): Placed {
  const left = upsideDown ? crop.left : width - crop.left - crop.width;
  const top = upsideDown ? height - crop.top - crop.height : crop.top;
  return { crop: { ...crop, left, top }, width, height };
}
