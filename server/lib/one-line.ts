/** Spaces, marks that select a direction or join letters, fillers, and the blank of Braille. */
const INVISIBLE = /[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export const visiblePart = (text: string): string => text.replace(INVISIBLE, '');

/** A name as it is stored: well-formed, on one line, trimmed; empty if nothing of it is visible. */
export function oneLine(sent: string): string {
  const line = sent
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return visiblePart(line) === '' ? '' : line;
}
