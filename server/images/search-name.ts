import { foldCase } from '../lib/fold.ts';

/** Between filename and description: neither holds it, and no search asks for it, so nothing is found across the two. */
const between = '\n';

/** What searches of an image are compared with. */
export function searchNameOf({ filename, description }: { filename: string; description: string }): string {
  return description === '' ? foldCase(filename) : foldCase(filename) + between + foldCase(description);
}

/** A text as searches compare it. Neither sign stands in a name: Postgres takes no NUL in a text. */
export const needleOf = (search: string): string => foldCase(search.toWellFormed()).replaceAll(/[\0\n]/g, '\uFFFD');
