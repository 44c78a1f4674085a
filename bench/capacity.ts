/**
 * Computes what a thousand, a million and a hundred million users need, from results/upload.json, results/costs.json and
 * growth/assumptions.ts. `npm run bench -- capacity` writes the tables to docs/run/scaling.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCosts } from './growth/costs.ts';
import { tablesOf } from './growth/table.ts';

const root = join(import.meta.dirname, '..', '..');
const [begin, end] = ['<!-- capacity: begin, by npm run bench -- capacity -->', '<!-- capacity: end -->'];

export const manual = join(root, 'docs', 'run', 'scaling.md');

export async function reckon(): Promise<string> {
  const read = async (name: string) =>
    JSON.parse(await readFile(join(root, 'bench', 'results', `${name}.json`), 'utf8'));
  return tablesOf(readCosts(await read('upload'), await read('costs')));
}

/** @returns the tables between their markers in a text @throws Error without markers */
export function tablesIn(text: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/run/scaling.md has no marks for the tables');
  return text.slice(from + begin.length, to).trim();
}

export async function writeTables(): Promise<string> {
  const text = await readFile(manual, 'utf8');
  const tables = await reckon();
  await writeFile(
    manual,
    text.replace(tablesIn(text) || `${begin}\n`, (old) => (old.startsWith(begin) ? `${begin}\n${tables}\n` : tables)),
  );
  return tables;
}
