import type { Region } from '../bytes/region.ts';
import { number, readLayout } from './tiff-directory.ts';
import { ORIENTATION } from './tiff-tags.ts';

export function keepOrientationOnly(tiff: Region): void {
  const orientation = readOrientation(tiff);
  tiff.blank();
  if (orientation === undefined || tiff.length < 26) return;
  tiff.put(0, Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation]));
}

/** As browsers read it: only as a single SHORT. */
export function readOrientation(tiff: Region): number | undefined {
  const layout = readLayout(tiff, false);
  if (layout === undefined) return undefined;
  const { little, first } = layout;
  // Reads what exists of a truncated directory.
  const table = tiff.part(first + 2, first + 2 + 12 * 256);
  for (let at = 0; at + 12 <= table.length; at += 12) {
    const value = number(table, at + 8, 2, little);
    const isSingle = number(table, at + 2, 2, little) === 3 && number(table, at + 4, 4, little) === 1;
    if (number(table, at, 2, little) === ORIENTATION && isSingle && value >= 1 && value <= 8) return value;
  }
  return undefined;
}
