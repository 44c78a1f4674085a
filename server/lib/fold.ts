/**
 * A text without its case, for comparing: composed (NFC), upper, then lower letter by letter. By way of the upper case
 * `ß` meets `SS`, and by way of the lower case before it `ẞ` meets both; letter by letter a sigma folds alike in the
 * middle and at the end of a word.
 */
export function foldCase(text: string): string {
  const upper = text.normalize('NFC').toLowerCase().toUpperCase();
  return Array.from(upper, (letter) => letter.toLowerCase())
    .join('')
    .normalize('NFC');
}
