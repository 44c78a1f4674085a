/** Lines gathered into objects, cut where the content says so: what did not change is the same object as last time. */
import type { ArchiveWriter } from './archive/writer.ts';
import type { Part } from './manifest.ts';

export type Parts = {
  add(line: string): void;
  /** Whether the lines gathered take more than a part may. */
  readonly full: boolean;
  cut(): Promise<void>;
  /** What was cut so far. */
  readonly cuts: Part[];
};

/** Bytes. One line alone may be more. */
const LARGEST = 2 ** 22;

export function createParts(writer: ArchiveWriter): Parts {
  const cuts: Part[] = [];
  let lines: string[] = [];
  let bytes = 0;
  return {
    add(line) {
      lines.push(`${line}\n`);
      bytes += Buffer.byteLength(line) + 1;
    },
    get full() {
      return bytes >= LARGEST;
    },
    async cut() {
      if (lines.length === 0) return;
      const stored = await writer.putPart(Buffer.from(lines.join('')));
      cuts.push({ ...stored, lines: lines.length });
      lines = [];
      bytes = 0;
    },
    cuts,
  };
}

/**
 * Whether a part ends behind this row: once in some 500 rows, told by the random end of its id. So a deletion or an
 * upload changes the one part it falls into, and not all that follow, as it would with parts of a fixed length.
 */
export const endsPart = (id: string): boolean => Number.parseInt(id.slice(-3), 16) % 512 === 0;
