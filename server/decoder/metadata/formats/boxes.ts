import type { Region } from '../bytes/region.ts';

/** A box of ISO base media (ISO/IEC 14496-12, 4.2). */
export type Box = {
  type: string;
  /** Start and end in the region that was walked. */
  at: number;
  end: number;
  content: Region;
};

const MAX_BOXES = 20_000;

/** The boxes of a region up to the first incomplete one. @throws RangeError if there are too many */
export function boxesOf(region: Region, from = 0): Box[] {
  const boxes: Box[] = [];
  let at = from;
  while (at + 8 <= region.length) {
    if (boxes.length === MAX_BOXES) throw new RangeError('too many boxes');
    const head = region.part(at, at + 16);
    const size = sizeOf(head, region.length - at);
    const headLength = head.readUInt32BE(0) === 1 ? 16 : 8;
    if (size === undefined || size < headLength || at + size > region.length) break;
    const content = region.inner(at + headLength, at + size);
    boxes.push({ type: head.toString('latin1', 4, 8), at, end: at + size, content });
    at += size;
  }
  return boxes;
}

function sizeOf(head: Buffer, left: number): number | undefined {
  const size = head.readUInt32BE(0);
  if (size === 0) return left;
  if (size !== 1) return size;
  return head.length < 16 ? undefined : Number(head.readBigUInt64BE(8));
}

export function freeBox(region: Region, { at, content }: Box): void {
  region.put(at + 4, Buffer.from('free'));
  content.blank();
}
