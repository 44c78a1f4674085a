/** Lists and files from outside, beside the repository and no part of it; where they are absent, nothing is added. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), '..', 'shared', 'corpus');
const manifest = join(folder, 'manifest.tsv');

/** For `skip`: why what needs the real files is left out. */
export const withoutCorpus = existsSync(manifest) ? false : 'the corpus of real files is not beside this checkout';

export const corpusBytes = (file: string): Buffer => readFileSync(join(folder, file));

let leftOut = false;

/** Whether a list was asked for and is not there: then what was tried is less than what is stated. */
export const listsLeftOut = () => leftOut;

/** The lines of `list_<name>.txt`; none where there is no corpus. */
export function corpusList(name: string): string[] {
  const file = join(folder, `list_${name}.txt`);
  if (existsSync(file)) return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  leftOut = true;
  return [];
}

export type CorpusEntry = Record<
  'file' | 'class' | 'expected' | 'width' | 'height' | 'frames' | 'gps' | 'orientation_tag',
  string
>;

/** The manifest's files, without its lists. */
export function corpusFiles(): CorpusEntry[] {
  if (withoutCorpus) return [];
  const [head = '', ...lines] = readFileSync(manifest, 'utf8').trimEnd().split('\n');
  const names = head.split('\t');
  return lines
    .map((line) => line.split('\t'))
    .map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) as CorpusEntry)
    .filter(({ expected }) => /^(?:accept|either|reject)$/.test(expected));
}
