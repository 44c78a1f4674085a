/** Collects lines into objects. Cuts depend on the content, so unchanged rows give the same object as last time. */
import type { ArchiveWriter } from './archive/writer.ts';
import type { Part } from './manifest.ts';

export type Parts = {
  add(line: string): void;
  readonly full: boolean;
  cut(): Promise<void>;
  readonly cuts: Part[];
};

/** Bytes. A single line may be larger. */
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

/** Whether a part ends after this row: one in 512, by its id's random end. An upload changes one part, not all later ones. */
export const endsPart = (id: string): boolean => Number.parseInt(id.slice(-3), 16) % 512 === 0;
