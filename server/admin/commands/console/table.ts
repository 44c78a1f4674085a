import { stripVTControlCharacters } from 'node:util';

export function table(heading: string[], rows: string[][]): string {
  const lines = [heading, ...rows].map((row) => row.map(printable));
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? '')].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const pad = (cell: string, width: number) => cell + ' '.repeat(width - [...cell].length);

/** Strips characters that could move the cursor of the administrator's terminal. */
export const printable = (cell: string) => stripVTControlCharacters(cell).replace(/\p{C}/gu, '\uFFFD');
