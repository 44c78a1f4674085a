/**
 * Every fixed text stands in this folder, once, by language and by area: `en-<area>.ts` holds the English words,
 * `<area>.ts` picks the language's words, and components import `texts` from `<area>.ts`. A second language is a file
 * `ar-<area>.ts` an area, its entry in each `pick`, and its code below; no component changes.
 * en-upload.ts and en-gallery.ts belong to those two features, the rest to the shell.
 */
export type Language = 'en';

const rightToLeft: readonly string[] = ['ar'];

/** Fixed for as long as the page lives: a change of language loads the page anew. */
export const language: Language = 'en';

export function pick<Texts>(byLanguage: Record<Language, Texts>): Texts {
  return byLanguage[language];
}

export function applyLanguage(page: HTMLElement) {
  page.lang = language;
  page.dir = rightToLeft.includes(language) ? 'rtl' : 'ltr';
}
