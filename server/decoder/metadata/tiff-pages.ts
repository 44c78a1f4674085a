import { Refusal } from '../core/failure.ts';
import type { FileBytes } from '../core/file-bytes.ts';
import { createRedactor } from './bytes/redactor.ts';
import { regionOf } from './bytes/region.ts';
import { type Directory, readDirectory, readLayout } from './formats/tiff-directory.ts';
import { numbersOf, pointersOf, type Tiff } from './formats/tiff-values.ts';

const WIDTH = 0x0100;
const LENGTH = 0x0101;
const COMPRESSION = 0x0103;
const PHOTOMETRIC = 0x0106;
const WHITE_IS_ZERO = 0;
const SUB_DIRECTORIES = 0x014a;
const DNG_VERSION = 0xc612;

/** Sensor data: colour filter array (TIFF/EP), linear raw (DNG 1.7, chapter 3). */
const RAW_PHOTOMETRIC = new Set([32_803, 34_892]);
/** Codings of Nikon, Sony, Epson, Samsung, Kodak and Pentax, and DNG's lossy one (the list of exiftool). */
const RAW_COMPRESSION = new Set([262, 32_767, 32_769, 32_770, 32_772, 34_713, 34_892, 65_000, 65_535]);

const MAX_DIRECTORIES = 1000;

type Pages = { work: number; whiteIsZero: boolean };

/**
 * `work`: pixels of all pages together; 0 if the directories cannot be read, which is left to the decoder.
 * `whiteIsZero`: of the first page.
 * @throws Refusal of a raw photograph, whatever its first directory contains: most begin with a small preview
 */
export function readPages(bytes: FileBytes): Pages {
  const region = regionOf(createRedactor(bytes), [[0, bytes.length]]);
  const layout = readLayout(region, true);
  if (layout === undefined) return { work: 0, whiteIsZero: false };
  const tiff: Tiff = { tiff: region, layout };
  const seen = new Set<number>();
  const waiting = [{ at: layout.first, isPage: true }];
  let work = 0;
  let whiteIsZero = false;
  for (let next = waiting.pop(); next !== undefined && seen.size < MAX_DIRECTORIES; next = waiting.pop()) {
    const directory = seen.has(next.at) ? undefined : readDirectory(region, next.at, layout);
    seen.add(next.at);
    if (directory === undefined) continue;
    const read = (wanted: number) => firstOf(tiff, directory, wanted);
    if (isRaw(directory, read)) throw new Refusal('NOT_AN_IMAGE', 'the file is a raw photograph');
    if (next.at === layout.first) whiteIsZero = read(PHOTOMETRIC) === WHITE_IS_ZERO;
    if (next.isPage) work += (read(WIDTH) ?? 0) * (read(LENGTH) ?? 0);
    if (next.isPage && directory.next !== 0) waiting.push({ at: directory.next, isPage: true });
    const inside = directory.entries.find(({ tag }) => tag === SUB_DIRECTORIES);
    for (const at of inside ? pointersOf(tiff, inside) : []) waiting.push({ at, isPage: false });
  }
  return { work, whiteIsZero };
}

const isRaw = ({ entries }: Directory, read: (tag: number) => number | undefined): boolean =>
  entries.some(({ tag }) => tag === DNG_VERSION) ||
  RAW_PHOTOMETRIC.has(read(PHOTOMETRIC) ?? 0) ||
  RAW_COMPRESSION.has(read(COMPRESSION) ?? 0);

function firstOf(tiff: Tiff, { entries }: Directory, wanted: number): number | undefined {
  const entry = entries.find(({ tag, count }) => tag === wanted && count === 1);
  return entry && numbersOf(tiff, entry)[0];
}
