/**
 * The words of the chosen language. Every fixed text stands in languages/, one file a language; <area>.ts beside this file hands
 * out the words of its area: `import { texts } from './upload.ts'`. What is imported there is a binding that changes with the
 * language: use it where something is drawn or said, and keep no word in a constant of a module.
 */
import type { texts as english, later as englishLater } from './languages/en.ts';

/** What each language has to say; a word that is missing is a type error. */
export type Texts = typeof english;

export type LaterTexts = typeof englishLater;

/** The words of one part of a language, and who has to hear of others. */
function createPart<Words>() {
  const followers: ((words: Words) => void)[] = [];
  let words: Words | undefined;
  return {
    follow(take: (words: Words) => void): void {
      followers.push(take);
      if (words) take(words);
    },
    change(next: Words): void {
      words = next;
      for (const take of followers) take(next);
    },
  };
}

const first = createPart<Texts>();
const later = createPart<LaterTexts>();

/** How dates, numbers and sizes are written, for Intl; before a language is loaded, as the system has it. */
export let locale: string | undefined;

/** Stands between facts in one line. */
export let separator = ' · ';

/** `take` is given the words there are, and again those of every later choice. */
export const follow = first.follow;

/** The same for the words that are loaded with the screens that say them (language.ts). */
export const followLater = later.follow;
export const speakLater = later.change;

/** A language's own way of writing numbers, or where it leaves that open, its reader's. */
function localeFor({ locale: own }: Texts, readers: readonly string[]): string {
  if (own.includes('-')) return own;
  return readers.find((reader) => reader.toLowerCase().startsWith(`${own}-`)) ?? own;
}

/** From now on everything that is drawn or said uses these. `readers`: the locales that the reader's browser names. */
export function speak(next: Texts, readers: readonly string[] = []): void {
  locale = localeFor(next, readers);
  separator = next.separator;
  first.change(next);
}
