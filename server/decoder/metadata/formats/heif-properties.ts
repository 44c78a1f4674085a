import type { Region } from '../bytes/region.ts';
import { type Box, boxesOf } from './boxes.ts';

const only = (boxes: readonly Box[], wanted: string) => boxes.find(({ type }) => type === wanted)?.content;

/** The properties of the primary item (ISO/IEC 23008-12, 9.3): of all items, if nothing is assigned to it. */
export function propertiesOfPrimary(file: Region): Box[] {
  const meta = only(boxesOf(file), 'meta');
  const boxes = meta === undefined ? [] : boxesOf(meta, 4);
  const inside = boxesOf(only(boxes, 'iprp') ?? file.inner(0, 0));
  const all = boxesOf(only(inside, 'ipco') ?? file.inner(0, 0));
  const primary = only(boxes, 'pitm')?.part(0, 8);
  if (primary === undefined || primary.length < 6) return all;
  const id = primary[0] === 0 ? primary.readUInt16BE(4) : primary.readUIntBE(4, Math.min(4, primary.length - 4));
  const assigned = inside.filter(({ type }) => type === 'ipma').flatMap(({ content }) => indexesOf(content, id));
  const found = assigned.flatMap((index) => all[index - 1] ?? []);
  return found.length === 0 ? all : found;
}

const MAX_TABLE = 4 * 1024 * 1024;

/** One-based places of an item's properties. @throws RangeError if the table is cut off */
function indexesOf(table: Region, wanted: number): number[] {
  const bytes = table.part(0, MAX_TABLE);
  const wide = bytes.readUInt8(0) > 0;
  const long = (bytes.readUInt8(3) & 1) === 1;
  let at = 8;
  for (let left = bytes.readUInt32BE(4); left > 0; left -= 1) {
    const id = wide ? bytes.readUInt32BE(at) : bytes.readUInt16BE(at);
    const count = bytes.readUInt8(at + (wide ? 4 : 2));
    at += wide ? 5 : 3;
    const indexes = Array.from({ length: count }, (_, index) =>
      long ? bytes.readUInt16BE(at + 2 * index) & 0x7fff : bytes.readUInt8(at + index) & 0x7f,
    );
    if (id === wanted) return indexes;
    at += count * (long ? 2 : 1);
  }
  return [];
}
