/** `ß`, `ẞ` and `SS` fold alike through upper case; folding letter by letter makes a final sigma equal to others. */
export function foldCase(text: string): string {
  const upper = text.normalize('NFC').toLowerCase().toUpperCase();
  return Array.from(upper, (letter) => letter.toLowerCase())
    .join('')
    .normalize('NFC');
}

/** Spacing accents, of which NFKC would make a space and a mark. */
const spacing: readonly [RegExp, string][] = [
  [/[\u00b4\u1fbd\u1fbf\u1ffd\u1ffe]/g, "'"],
  [/[\u2033\u2036]/g, '"'],
];

const alike: readonly [RegExp, string][] = [
  // Invisible: joiners, directions, variation selectors, soft hyphens; and the stretched line of Arabic words.
  [/\p{Default_Ignorable_Code_Point}|\u0640/gu, ''],
  [/\p{Z}/gu, ' '],
  [/[\u058a\u05be\u1806\u2010-\u2015\u2043\u2212\u2e17\u2e1a\u2e3a\u2e3b]/g, '-'],
  [/\u301c/g, '~'],
  [/[\u02b9-\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018-\u201b\u2032\u2035\ua78b\ua78c]/g, "'"],
  [/[\u00ab\u00bb\u02ee\u05f4\u201c-\u201f]/g, '"'],
  [/æ/g, 'ae'],
  [/œ/g, 'oe'],
  // The lower case of İ.
  [/i\u0307/g, 'i'],
];

const replaced = (text: string, pairs: readonly [RegExp, string][]): string =>
  pairs.reduce((folded, [pattern, replacement]) => folded.replace(pattern, replacement), text);

/**
 * Folds a text for a search: people find what they see by what they can type, in any case, width or typography. The function
 * fold_text of the database does the same to a text of foldCase.
 */
export const foldText = (text: string): string =>
  replaced(foldCase(replaced(text, spacing).normalize('NFKC')), alike).normalize('NFC');
