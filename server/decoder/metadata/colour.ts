import { type Colour, colourOfCodes } from '../core/colour.ts';
import type { FileBytes } from '../core/file-bytes.ts';
import { createRedactor } from './bytes/redactor.ts';
import { regionOf } from './bytes/region.ts';
import { propertiesOfPrimary } from './formats/heif-properties.ts';

/** The colour of AVIF or HEIC by its code points (`nclx`). Undefined for sRGB, or if it cannot be read. */
export function colourOfHeif(bytes: FileBytes): Colour | undefined {
  try {
    const properties = propertiesOfPrimary(regionOf(createRedactor(bytes), [[0, bytes.length]]));
    const codes = properties
      .filter(({ type }) => type === 'colr')
      .map(({ content }) => content.part(0, 8))
      .find((colour) => colour.length === 8 && colour.toString('latin1', 0, 4) === 'nclx');
    return codes && colourOfCodes(codes.readUInt16BE(4), codes.readUInt16BE(6), 'srgb');
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error; // a disk failure
    return undefined;
  }
}
