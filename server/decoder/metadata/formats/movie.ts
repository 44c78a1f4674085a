import type { Region } from '../bytes/region.ts';
import { type Box, boxesOf, freeBox } from './boxes.ts';

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
const NOTES = new Set(['udta', 'meta', 'uuid', 'free', 'skip', 'wide', 'ilst', 'keys']);
/** Metadata that may stay: program, title, artist, date, rights. */
const HARMLESS = new Set(['hdlr', '\xa9too', '\xa9nam', '\xa9ART', '\xa9day', 'cprt', 'name']);
const FULL = new Set(['meta']);
/** Track types with pictures and sound. Text may contain positions: drones write them as subtitles. */
const SHOWN = new Set(['pict', 'auxv', 'vide', 'soun']);

export function redactBox(parent: Region, box: Box): void {
  if (NOTES.has(box.type)) {
    if (!isHarmless(box)) freeBox(parent, box);
  } else if (NESTED.has(box.type)) {
    for (const child of boxesOf(box.content)) redactBox(box.content, child);
  }
}

/** Whether a track may contain something else, such as recorded positions. */
export function hasOtherTracks(movie: Region): boolean {
  return boxesOf(movie).some(({ type, content }) => type === 'trak' && !isShown(content));
}

function isShown(track: Region): boolean {
  const media = boxesOf(track).filter(({ type }) => type === 'mdia');
  const handlers = media.flatMap(({ content }) => boxesOf(content).filter(({ type }) => type === 'hdlr'));
  return handlers.length > 0 && handlers.every(({ content }) => SHOWN.has(content.text(8, 12)));
}

function isHarmless({ type, content }: Box): boolean {
  if (HARMLESS.has(type) || isEmpty(content)) return true;
  if (!NOTES.has(type)) return false;
  const boxes = boxesOf(content, FULL.has(type) ? 4 : 0);
  return boxes.at(-1)?.end === content.length && boxes.every(isHarmless);
}

function isEmpty(content: Region): boolean {
  return content.length < 65536 && content.part(0, content.length).every((byte) => byte === 0);
}
