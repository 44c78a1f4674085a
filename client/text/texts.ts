/**
 * The words of the chosen language. Every fixed text stands in languages/, one file a language; <area>.ts beside this file hands
 * out the words of its area: `import { texts } from '../text/upload.ts'`. What is imported there is a binding that changes with the
 * language: use it where something is drawn or said, and keep no word in a constant of a module.
 */
import type { texts as english } from './languages/en.ts';

/** What each language has to say; a word that is missing is a type error. */
export type Texts = typeof english;

type Follower = (words: Texts) => void;

const followers: Follower[] = [];
let words: Texts | undefined;

/** How dates, numbers and sizes are written, for Intl; before a language is loaded, as the system has it. */
export let locale: string | undefined;

/** Stands between facts in one line. */
export let separator = ' · ';

/** `take` is given the words there are, and again those of every later choice. */
export function follow(take: Follower): void {
  followers.push(take);
  if (words) take(words);
}

/** A language's own way of writing numbers, or where it leaves that open, its reader's. */
function localeFor({ locale: own }: Texts, readers: readonly string[]): string {
  if (own.includes('-')) return own;
  return readers.find((reader) => reader.toLowerCase().startsWith(`${own}-`)) ?? own;
}

/** From now on everything that is drawn or said uses these. `readers`: the locales that the reader's browser names. */
export function speak(next: Texts, readers: readonly string[] = []): void {
  words = next;
  locale = localeFor(next, readers);
  separator = next.separator;
  for (const take of followers) take(next);
}
