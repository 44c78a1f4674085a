/**
 * The texts of the current language. languages/ has one file per language; <area>.ts beside this file exports the texts of its
 * area: `import { texts } from './upload.ts'`. That binding changes with the language: read it at render time, and never store
 * a text in a module constant.
 */
import type { texts as english, later as englishLater } from './languages/en.ts';

/** The texts every language must have; a missing one is a type error. */
export type Texts = typeof english;

export type LaterTexts = typeof englishLater;

/** One part of a language's texts, with its subscribers. */
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

/** The Intl locale for dates, numbers and sizes; the system's before a language is loaded. */
export let locale: string | undefined;

/** The separator between facts in one line. */
export let separator = ' · ';

/** Calls `take` with the current texts, and again on every change. */
export const follow = first.follow;

/** The same for the texts that load with their screens (language.ts). */
export const followLater = later.follow;
export const speakLater = later.change;

/** The language's locale, or the reader's if the language has no region. */
function localeFor({ locale: own }: Texts, readers: readonly string[]): string {
  if (own.includes('-')) return own;
  return readers.find((reader) => reader.toLowerCase().startsWith(`${own}-`)) ?? own;
}

/** Sets the current texts. `readers`: the locales of the reader's browser. */
export function speak(next: Texts, readers: readonly string[] = []): void {
  locale = localeFor(next, readers);
  separator = next.separator;
  first.change(next);
}
