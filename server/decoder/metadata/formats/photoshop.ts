import type { Region } from '../bytes/region.ts';
import { redactAsDigest } from '../bytes/stored-digests.ts';
import { redactIptc } from './iptc.ts';
import { redactExif } from './tiff.ts';
import { redactXmp } from './xmp.ts';

const MARKS = new Set(['8BIM', 'AgHg', 'DCSR', 'PHUT', 'MeSa']);
const RESOURCES: Record<number, (resource: Region) => void> = {
  1028: redactIptc,
  1058: redactExif,
  1059: redactExif,
  1060: redactXmp,
  // MD5 of the IPTC data (1028).
  1061: redactAsDigest,
};

/** Redacts Photoshop's image resources (Adobe's file formats specification). Blanks bytes after a break in the chain. */
export function redactPhotoshop(resources: Region): void {
  let at = 0;
  while (at < resources.length) {
    const head = resources.part(at, at + 12 + 256);
    const start = 6 + (((head[6] ?? 0) + 2) & ~1);
    if (!MARKS.has(head.toString('latin1', 0, 4)) || start + 4 > head.length) break;
    const from = at + start + 4;
    const to = from + head.readUInt32BE(start);
    if (to > resources.length) break;
    RESOURCES[head.readUInt16BE(4)]?.(resources.inner(from, to));
    at = to + ((to - from) & 1);
  }
  // Fewer bytes than a resource's header cannot be read.
  if (resources.length - at >= 12) resources.blank(at);
}
