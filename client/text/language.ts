/** The page's language. boot.js chooses one before the first paint; this module loads its words and stores a choice. */
import { useSyncExternalStore } from 'react';
import { browserStorage } from '../lib/browser-storage.ts';
import { directionOf } from './direction.ts';
import { type LaterWords, type PictureWords, type StartWords, speak, type WordsPart } from './words.ts';

type Loaders<Part> = Readonly<Record<string, () => Promise<Part>>>;

// A query makes each part a separate module, in which the build keeps only the export that is imported. Nobody loads the
// words of screens that they do not open, and still a language is one file.
const files = {
  start: import.meta.glob('./languages/*.ts', { query: '?start', import: 'start' }) as Loaders<StartWords>,
  pictures: import.meta.glob('./languages/*.ts', { query: '?pictures', import: 'pictures' }) as Loaders<PictureWords>,
  later: import.meta.glob('./languages/*.ts', { query: '?later', import: 'later' }) as Loaders<LaterWords>,
};

const fileOf = (language: string) => `./languages/${language}.ts`;

/** The language codes. */
export const languages: readonly string[] = Object.keys(files.start).map((file) =>
  file.slice('./languages/'.length, -'.ts'.length),
);

const page = document.documentElement;
const listeners = new Set<() => void>();
let wanted = '';
/** The parts that the screens opened so far need. */
const parts = new Set<WordsPart>(['start']);

/** @returns the wanted words of a language, those included that become wanted meanwhile */
async function wordsOf(language: string): Promise<object> {
  const known = [...parts];
  const loaded = await Promise.all(known.map((part) => files[part][fileOf(language)]?.()));
  return parts.size === known.length ? Object.assign({}, ...loaded) : wordsOf(language);
}

async function load(language: string): Promise<boolean> {
  wanted = language;
  const words = await wordsOf(language);
  // If the user chooses several times in a row, the last choice wins.
  if (wanted !== language) return false;
  speak(words, navigator.languages);
  page.lang = language;
  page.dir = directionOf(language);
  for (const listener of listeners) listener();
  return true;
}

/** Loads the words of the language that boot.js chose, or English if that fails. */
export async function loadLanguage(): Promise<void> {
  const language = languages.includes(page.lang) ? page.lang : 'en';
  await load(language).catch((error) => (language === 'en' ? Promise.reject(error) : load('en')));
}

/** Each part includes those before it. */
const upTo: Readonly<Record<WordsPart, readonly WordsPart[]>> = {
  start: ['start'],
  pictures: ['start', 'pictures'],
  later: ['start', 'pictures', 'later'],
};

/** Loads words, now and for every language chosen later. */
async function loadWords(needed: WordsPart): Promise<void> {
  for (const part of upTo[needed]) parts.add(part);
  for (let language = ''; language !== page.lang; ) {
    language = page.lang;
    const loaded = await Promise.all(upTo[needed].map((part) => files[part][fileOf(language)]?.()));
    if (language === page.lang) speak(Object.assign({}, ...loaded), navigator.languages);
  }
}

/** Loads a part of the page together with its words. */
export async function withWords<Part>(needed: WordsPart, part: Promise<Part>): Promise<Part> {
  await Promise.all([part, loadWords(needed)]);
  return part;
}

/** Loads a part of the page together with all words. */
export const withLaterWords = <Part>(part: Promise<Part>): Promise<Part> => withWords('later', part);

/** Switches the language without a reload and stores the choice. Rejects if its words cannot be loaded. */
export async function chooseLanguage(language: string): Promise<void> {
  if (await load(language)) browserStorage.setItem('language', language);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The language; re-renders its component on a change. App calls it, and every memo() component must. */
export function useLanguage(): string {
  return useSyncExternalStore(subscribe, () => page.lang);
}

/** The language's name in itself: `العربية`. */
export function nameOf(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** The next language of the switch. */
export const languageAfter = (language: string): string =>
  languages[(languages.indexOf(language) + 1) % languages.length] ?? 'en';
