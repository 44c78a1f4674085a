import { foldText } from '../lib/fold.ts';

/** Separates filename and description. Neither contains it, so no search matches across the two. */
const between = '\n';

export function searchNameOf({ filename, description }: { filename: string; description: string }): string {
  return description === '' ? foldText(filename) : foldText(filename) + between + foldText(description);
}

/** Normalizes a search text. Search names contain neither NUL, which Postgres rejects, nor the separator. */
export function needleOf(search: string): string {
  const folded = foldText(search.toWellFormed());
  // Invisible characters alone are no empty search, which would find everything.
  return folded === '' && search !== '' ? '\uFFFD' : folded.replaceAll(/[\0\n]/g, '\uFFFD');
}
