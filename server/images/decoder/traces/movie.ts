import { type Box, boxesOf, freeBox } from './boxes.ts';
import type { Region } from './region.ts';

const TOP = new Set([
  'ftyp',
  'styp',
  'moov',
  'mdat',
  'free',
  'skip',
  'wide',
  'moof',
  'mfra',
  'sidx',
  'uuid',
  'meta',
  'udta',
]);
const NESTED = new Set([
  'moov',
  'trak',
  'mdia',
  'minf',
  'stbl',
  'edts',
  'dinf',
  'mvex',
  'moof',
  'traf',
  'tref',
  'gmhd',
]);
/** Boxes of notes: who, where, with what. */
const NOTES = new Set(['udta', 'meta', 'uuid', 'free', 'skip', 'wide', 'ilst', 'keys']);
/** Those that may stay: program, title, artist, day, rights. */
const HARMLESS = new Set(['hdlr', '\xa9too', '\xa9nam', '\xa9ART', '\xa9day', 'cprt', 'name']);
const FULL = new Set(['meta']);
/** Kinds of tracks that hold pictures, sound and words. */
const SHOWN = new Set(['vide', 'pict', 'auxv', 'soun', 'subt', 'sbtl', 'text', 'hint']);
/** A track that tells which moment of the film is the photograph. */
const MOMENT = 'application/motionphoto-image-meta';

/** Where the boxes of a film end that begins where the region does; undefined where none begins. */
export function movieEnd(film: Region): number | undefined {
  if (film.text(4, 8) !== 'ftyp') return undefined;
  const boxes = boxesOf(film);
  const end = boxes.findIndex(({ type }) => !TOP.has(type));
  return end < 0 ? boxes.at(-1)?.end : boxes[end]?.at;
}

/** Covers a film beside a photograph: its notes go; the whole, where a track holds other things than picture and sound. */
export function coverMovie(film: Region): void {
  const boxes = boxesOf(film);
  if (boxes.some(({ type, content }) => type === 'moov' && hasOtherTracks(content))) film.blank();
  else for (const box of boxes) coverBox(film, box);
}

/** Covers the notes of one box and of all below it. */
export function coverBox(parent: Region, box: Box): void {
  if (NOTES.has(box.type)) {
    if (!isHarmless(box)) freeBox(parent, box);
  } else if (NESTED.has(box.type)) {
    for (const child of boxesOf(box.content)) coverBox(box.content, child);
  }
}

/** Whether a track holds what is neither seen nor heard: positions measured on the way, perhaps. */
export function hasOtherTracks(movie: Region): boolean {
  return boxesOf(movie).some(({ type, content }) => type === 'trak' && !isShown(content));
}

function isShown(track: Region): boolean {
  const media = boxesOf(track).find(({ type }) => type === 'mdia');
  const handler = media && boxesOf(media.content).find(({ type }) => type === 'hdlr');
  if (handler !== undefined && SHOWN.has(handler.content.text(8, 12))) return true;
  return track.length < 65536 && track.text(0, track.length).includes(MOMENT);
}

/** Whether notes hold nothing, or what is known to be harmless. */
function isHarmless({ type, content }: Box): boolean {
  if (HARMLESS.has(type) || isEmpty(content)) return true;
  if (!NOTES.has(type)) return false;
  const boxes = boxesOf(content, FULL.has(type) ? 4 : 0);
  return boxes.at(-1)?.end === content.length && boxes.every(isHarmless);
}

function isEmpty(content: Region): boolean {
  return content.length < 65536 && content.part(0, content.length).every((byte) => byte === 0);
}
