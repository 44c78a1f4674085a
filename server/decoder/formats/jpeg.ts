import { damaged, ENDS_TOO_EARLY } from '../core/failure.ts';
import { type FileBytes, joined, type Span } from '../core/file-bytes.ts';

/** `memory`: bytes the decoder holds at once; `unusual`: a coding that browsers do not show. */
type JpegShape = { input: string | Buffer; memory: number; unusual: boolean };

const SOS = 0xda;
const APP0 = 0xe0;
const APP14 = 0xee;
const SCAN = Buffer.from([0xff, SOS]);
const EOI = Buffer.from([0xff, 0xd9]);
const SEARCHED = 32 * 1024;

type Frame = { marker: number; components: number; coefficients: number };

/** Replaces the bytes from `from` to `to` in the decoder's copy. */
type Edit = { from: number; to: number; by?: Buffer };

/** The parameters of a sequential scan: all coefficients at once (ITU T.81, B.2.3). */
const SEQUENTIAL = Buffer.from([0, 63, 0]);

/**
 * Walks the segments up to the first scan (ITU T.81, annex B). The copy omits junk that browsers skip, and corrects
 * header fields that no decoder needs but libjpeg warns about: a warning otherwise means that pixels are missing.
 */
export function readJpeg(bytes: FileBytes): JpegShape {
  const edits: Edit[] = [];
  let frame: Frame | undefined;
  let adobe: number | undefined;
  let position = 2;
  for (;;) {
    const at = nextMarker(bytes, position);
    if (at !== position) edits.push({ from: position, to: at });
    const marker = bytes.at(at + 1) ?? 0;
    position = isStandalone(marker) ? at + 2 : segmentEnd(bytes, at);
    if (isFrame(marker)) frame = readFrame(marker, bytes.part(at + 4, position));
    if (marker === APP0 && bytes.text(at + 4, at + 9) === 'JFIF\0' && bytes.at(at + 9) !== 1)
      edits.push(usualVersion(at + 9));
    if (marker === APP14 && bytes.text(at + 4, at + 9) === 'Adobe') adobe = at + 15;
    if (marker !== SOS) continue;
    // Decoders fill a missing end with grey and may not even warn.
    if (!endsAfter(bytes, position)) throw damaged(ENDS_TOO_EARLY);
    const shape = cost(frame, bytes.at(at + 4) ?? 0);
    if (adobe !== undefined && (bytes.at(adobe) ?? 0) > 2) edits.push(usualTransform(adobe, frame));
    if (isSequential(frame))
      edits.push(...scansOf(bytes, position, shape.scans).flatMap((end) => usualScan(bytes, end)));
    return { input: edited(bytes, edits), memory: shape.memory, unusual: shape.unusual };
  }
}

const isSequential = (frame: Frame | undefined) => frame !== undefined && frame.marker <= 0xc1;

/** Where the parameters of the scans end: one for each component at most, unless the first scan contains all. */
function scansOf(bytes: FileBytes, firstEnd: number, components: number): number[] {
  const ends = [firstEnd];
  for (let from = firstEnd; from < bytes.length && ends.length < components; from += SEARCHED) {
    const part = bytes.part(from, from + SEARCHED + 1);
    for (let at = part.indexOf(SCAN); at >= 0; at = part.indexOf(SCAN, at + 1)) {
      ends.push(from + at + 8 + 2 * (bytes.at(from + at + 4) ?? 0));
    }
  }
  return ends;
}

/** Samsung's editor writes other parameters, which libjpeg ignores with a warning. */
function usualScan(bytes: FileBytes, end: number): Edit[] {
  const parameters = bytes.part(end - 3, end);
  if (parameters.length < 3 || parameters.equals(SEQUENTIAL)) return [];
  return [{ from: end - 3, to: end, by: SEQUENTIAL }];
}

const usualVersion = (at: number): Edit => ({ from: at, to: at + 1, by: Buffer.from([1]) });

/** Libjpeg decodes an unknown colour transform of Adobe as YCbCr or YCCK. */
const usualTransform = (at: number, frame: Frame | undefined): Edit => ({
  from: at,
  to: at + 1,
  by: Buffer.from([frame?.components === 4 ? 2 : 1]),
});

function edited(bytes: FileBytes, edits: Edit[]): string | Buffer {
  if (edits.length === 0) return bytes.path;
  const parts: (Span | Buffer)[] = [];
  let kept = 0;
  for (const { from, to, by } of edits.sort((one, other) => one.from - other.from)) {
    parts.push([kept, from], ...(by ? [by] : []));
    kept = to;
  }
  return joined(bytes, [...parts, [kept, bytes.length]]);
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

type Cost = { memory: number; unusual: boolean; scans: number };

/** Progressive pictures, and those with a scan per component, are held whole as coefficients. */
function cost(frame: Frame | undefined, scanComponents: number): Cost {
  if (frame === undefined) throw damaged();
  const scans = scanComponents < frame.components ? frame.components : 1;
  const held = (frame.marker & 3) === 2 || scans > 1;
  return { memory: held ? frame.coefficients : 0, unusual: frame.marker > 0xc2, scans };
}
