/**
 * The text of a live region after it says `words`. A screen reader speaks only a change, so the same words twice in a row differ
 * by a space that is not spoken.
 */
export const sayAgain = (before: string, words: string): string =>
  words !== '' && before === words ? `${words}\u00a0` : words;
