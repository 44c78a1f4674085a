import { box } from './containers.ts';

type Property = readonly [type: string, content: Buffer];

function boxesIn(bytes: Buffer): [type: string, content: Buffer][] {
  const boxes: [string, Buffer][] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at) || bytes.length - at;
    boxes.push([bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + size)]);
    at += size;
  }
  return boxes;
}

const rebuilt = (bytes: Buffer, change: Record<string, (content: Buffer) => Buffer>): Buffer =>
  Buffer.concat(boxesIn(bytes).map(([type, content]) => box(type, change[type]?.(content) ?? content)));

/** An AVIF or HEIC whose first item has more properties; its data is in the file, in one extent. */
export function withProperties(file: Buffer, ...properties: Property[]): Buffer {
  const added = Buffer.concat(properties.map(([type, content]) => box(type, content)));
  const shift = added.length + properties.length;
  let count = 0;
  const changes = {
    ipco: (content: Buffer) => {
      count = boxesIn(content).length;
      return Buffer.concat([content, added]);
    },
    // Version 0: an item's id has two bytes, an index one. The first bit says that readers must know the property.
    ipma: (content: Buffer) => {
      const assigned = content[10] ?? 0;
      const indexes = properties.map((_, index) => 0x80 | (count + index + 1));
      return Buffer.concat([
        content.subarray(0, 10),
        Buffer.from([assigned + properties.length]),
        content.subarray(11, 11 + assigned),
        Buffer.from(indexes),
        content.subarray(11 + assigned),
      ]);
    },
  };
  return rebuilt(file, {
    meta: (meta) => {
      const inside = {
        iprp: (content: Buffer) => rebuilt(content, changes),
        iloc: (content: Buffer) => moved(content, shift),
      };
      return Buffer.concat([meta.subarray(0, 4), rebuilt(meta.subarray(4), inside)]);
    },
  });
}

/** Adds to the base offset of the first item, or to the offset of its extent. */
function moved(content: Buffer, shift: number): Buffer {
  const table = Buffer.from(content);
  const base = (table[5] ?? 0) >> 4;
  const at = 10 + (table[0] === 0 ? 0 : 2) + 2 + (base > 0 ? 0 : 2);
  table.writeUInt32BE(table.readUInt32BE(at) + shift, at);
  return table;
}
