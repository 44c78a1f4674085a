import { damaged, ENDS_TOO_EARLY } from '../core/failure.ts';
import { type FileBytes, joined, type Span } from '../core/file-bytes.ts';

/** `memory`: bytes the decoder holds at once; `unusual`: a coding that browsers do not show. */
type JpegShape = { input: string | Buffer; memory: number; unusual: boolean };

const SOS = 0xda;
const EOI = Buffer.from([0xff, 0xd9]);
const SEARCHED = 32 * 1024;

type Frame = { marker: number; components: number; coefficients: number };

/** Walks the segments up to the first scan (ITU T.81, annex B). The copy omits junk that browsers skip and libvips rejects. */
export function readJpeg(bytes: FileBytes): JpegShape {
  const kept: Span[] = [];
  let keptFrom = 0;
  let frame: Frame | undefined;
  let position = 2;
  for (;;) {
    const at = nextMarker(bytes, position);
    if (at !== position) {
      kept.push([keptFrom, position]);
      keptFrom = at;
    }
    const marker = bytes.at(at + 1) ?? 0;
    position = isStandalone(marker) ? at + 2 : segmentEnd(bytes, at);
    if (isFrame(marker)) frame = readFrame(marker, bytes.part(at + 4, position));
    if (marker === SOS) {
      // Decoders fill a missing end with grey and may not even warn.
      if (!endsAfter(bytes, position)) throw damaged(ENDS_TOO_EARLY);
      const input = kept.length === 0 ? bytes.path : joined(bytes, [...kept, [keptFrom, bytes.length]]);
      return { input, ...cost(frame, bytes.at(at + 4) ?? 0) };
    }
  }
}

/** Searches for the end marker backwards, since it is almost always at the end. */
function endsAfter(bytes: FileBytes, from: number): boolean {
  for (let to = bytes.length; to > from; to -= SEARCHED) {
    // One extra byte, for a marker across two parts.
    if (bytes.part(Math.max(from, to - SEARCHED), to + 1).includes(EOI)) return true;
  }
  return false;
}

/** The position of the next marker; skips junk and fill bytes, as libjpeg does. */
function nextMarker(bytes: FileBytes, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && at + 1 < bytes.length) {
    const next = bytes.at(at + 1);
    if (next !== 0 && next !== 0xff) return at;
    at = next === 0xff ? at + 1 : bytes.indexOf(0xff, at + 2);
  }
  throw damaged(ENDS_TOO_EARLY);
}

const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function segmentEnd(bytes: FileBytes, at: number): number {
  if (bytes.at(at + 1) === 0xd9 || at + 4 > bytes.length) throw damaged(ENDS_TOO_EARLY);
  const length = bytes.part(at + 2, at + 4).readUInt16BE();
  if (length < 2) throw damaged();
  if (at + 2 + length > bytes.length) throw damaged(ENDS_TOO_EARLY);
  return at + 2 + length;
}

function readFrame(marker: number, payload: Buffer): Frame {
  const components = payload[5] ?? 0;
  if (components === 0 || payload.length < 6 + 3 * components) throw damaged();
  const pixels = payload.readUInt16BE(1) * payload.readUInt16BE(3);
  const blocks = Array.from({ length: components }, (_, index) => {
    const sampling = payload[7 + 3 * index] ?? 0;
    return (sampling >> 4) * (sampling & 15);
  });
  const largest = Math.max(1, ...blocks);
  const samples = blocks.reduce((sum, block) => sum + (pixels * block) / largest, 0);
  return { marker, components, coefficients: samples * 2 };
}

/** Progressive pictures, and those with a scan per component, are held whole as coefficients. */
function cost(frame: Frame | undefined, scanComponents: number): { memory: number; unusual: boolean } {
  if (frame === undefined) throw damaged();
  const held = (frame.marker & 3) === 2 || scanComponents < frame.components;
  return { memory: held ? frame.coefficients : 0, unusual: frame.marker > 0xc2 };
}
