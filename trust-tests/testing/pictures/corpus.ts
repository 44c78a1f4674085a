/** Reads test files and lists kept beside the repository; without them, tests use only their own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), '..', 'shared', 'corpus');
const manifest = join(folder, 'manifest.tsv');

/** For `skip`: why tests of the real files are skipped. */
export const withoutCorpus = existsSync(manifest) ? false : 'the corpus of real files is not beside this checkout';

export const corpusBytes = (file: string): Buffer => readFileSync(join(folder, file));

let leftOut = false;

/** Whether a requested list was missing, so that a test tried less than its goal says. */
export const listsLeftOut = () => leftOut;

/** @returns the lines of `list_<name>.txt`; none without the corpus */
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

export function corpusFiles(): CorpusEntry[] {
  if (withoutCorpus) return [];
  const [head = '', ...lines] = readFileSync(manifest, 'utf8').trimEnd().split('\n');
  const names = head.split('\t');
  return lines
    .map((line) => line.split('\t'))
    .map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) as CorpusEntry)
    .filter(({ expected }) => /^(?:accept|either|reject)$/.test(expected));
}
