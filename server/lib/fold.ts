/** `ß`, `ẞ` and `SS` fold alike through upper case; folding letter by letter makes a final sigma equal to others. */
export function foldCase(text: string): string {
  const upper = text.normalize('NFC').toLowerCase().toUpperCase();
  return Array.from(upper, (letter) => letter.toLowerCase())
    .join('')
    .normalize('NFC');
}
