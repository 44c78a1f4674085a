import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Real files from many cameras and programs, stored beside the repository. */
const folder = join(process.cwd(), '..', 'shared', 'corpus');

export const corpusFile = (name: string): string => join(folder, name);

/** The lines of one of the corpus's lists; undefined without the corpus. */
export function corpusLines(name: string): string[] | undefined {
  const file = corpusFile(name);
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

export type CorpusEntry = { file: string; kind: string; expected: string };

/** The manifest's files with their class and the expected outcome of an upload; undefined without the corpus. */
export function corpusManifest(): CorpusEntry[] | undefined {
  const [head, ...lines] = corpusLines('manifest.tsv') ?? [];
  if (head === undefined) return undefined;
  const columns = head.split('\t');
  const cell = (cells: string[], name: string) => cells[columns.indexOf(name)] ?? '';
  return lines
    .map((line) => line.split('\t'))
    .map((cells) => ({ file: cell(cells, 'file'), kind: cell(cells, 'class'), expected: cell(cells, 'expected') }));
}
