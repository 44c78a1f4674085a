import type { Region } from '../bytes/region.ts';
import { type Box, boxesOf } from './boxes.ts';

/** An item of a HEIF file, from its tables (ISO/IEC 14496-12, 8.11). */
export type Item = {
  type: string;
  contentType: string;
  /** Whether the data is compressed. */
  encoded: boolean;
  /** 0: in the file, 1: in the `idat` box, 2: built from other items. */
  method: number;
  extents: { at: number; length: number }[];
};

const MAX_TABLE = 4 * 1024 * 1024;
const MAX_EXTENTS = 1024;
/** Limits repeated references to the same item. */
const MAX_ITEMS = 20_000;

export function readItems(boxes: readonly Box[]): Item[] {
  const locations = boxes.filter(({ type }) => type === 'iloc').flatMap(({ content }) => readLocations(content));
  const kinds = boxes.filter(({ type }) => type === 'iinf').flatMap(({ content }) => readKinds(content));
  const byId = new Map<number, ReturnType<typeof readLocations>>();
  for (const location of locations) byId.set(location.id, [...(byId.get(location.id) ?? []), location]);
  const items = kinds.flatMap(({ id, ...kind }) =>
    (byId.get(id) ?? []).map(({ method, extents }) => ({ ...kind, method, extents })),
  );
  if (items.length > MAX_ITEMS) throw new RangeError('too many items');
  return items;
}

function readKinds(table: Region): { id: number; type: string; contentType: string; encoded: boolean }[] {
  const head = table.part(0, 8);
  return boxesOf(table, head[0] === 0 ? 6 : 8)
    .filter(({ type, content }) => type === 'infe' && content.length > 8)
    .map(({ content }) => {
      const entry = content.part(0, 1024);
      const version = entry[0] ?? 0;
      const wide = version > 2 ? 2 : 0;
      const id = wide ? entry.readUInt32BE(4) : entry.readUInt16BE(4);
      const typed = version >= 2;
      const words = entry.toString('latin1', (typed ? 12 : 8) + wide).split('\0');
      const [, contentType = '', encoding = ''] = words;
      return {
        id,
        type: typed ? entry.toString('latin1', 8 + wide, 12 + wide) : 'mime',
        contentType,
        encoded: encoding !== '',
      };
    });
}

function readLocations(table: Region): { id: number; method: number; extents: Item['extents'] }[] {
  const bytes = table.part(0, MAX_TABLE);
  let at = 0;
  const next = (size: number) => {
    const value = size === 0 ? 0 : size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size);
    at += size;
    return value;
  };
  const version = next(1);
  at = 4;
  const [sizes, more] = [next(1), next(1)];
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    sizes >> 4,
    sizes & 15,
    more >> 4,
    version === 0 ? 0 : more & 15,
  ];
  if ([offsetSize, lengthSize, baseSize, indexSize].some((size) => size !== 0 && size !== 4 && size !== 8)) {
    throw new RangeError('sizes that no reader knows');
  }
  const wide = version === 2 ? 4 : 2;
  return Array.from({ length: Math.min(next(wide), bytes.length) }, () => {
    const id = next(wide);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2); // data reference: another file if not 0
    const base = next(baseSize);
    const count = next(2);
    if (count > MAX_EXTENTS) throw new RangeError('too many extents');
    const extents = Array.from({ length: count }, () => {
      next(indexSize);
      return { at: base + next(offsetSize), length: next(lengthSize) };
    });
    return { id, method, extents };
  });
}
