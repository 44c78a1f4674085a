/** The page's language. boot.js chooses one before the first paint; this module loads its words and stores a choice. */
import { useSyncExternalStore } from 'react';
import { browserStorage } from '../lib/browser-storage.ts';
import { directionOf } from './direction.ts';
import { speak, type WordsPart } from './words.ts';

/** Loads a part in each language. */
export type Loaders = Readonly<Record<string, () => Promise<object>>>;
/** A part of this module, or the loaders of one that few screens need (tokens-words.ts). */
export type Part = WordsPart | Loaders;

// A query makes each part a separate module, in which the build keeps only the export that is imported. Nobody loads the
// words of screens that they do not open, and still a language is one file.
const files: Readonly<Record<WordsPart, Loaders>> = {
  start: import.meta.glob<object>('./languages/*.ts', { query: '?start', import: 'start' }),
  auth: import.meta.glob<object>('./languages/*.ts', { query: '?auth', import: 'auth' }),
  gallery: import.meta.glob<object>('./languages/*.ts', { query: '?gallery', import: 'gallery' }),
  upload: import.meta.glob<object>('./languages/*.ts', { query: '?upload', import: 'upload' }),
  later: import.meta.glob<object>('./languages/*.ts', { query: '?later', import: 'later' }),
  settings: import.meta.glob<object>('./languages/*.ts', { query: '?settings', import: 'settings' }),
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
const parts = new Set<Part>(['start']);

async function loadParts(language: string, wanted: readonly Part[]): Promise<object> {
  return Object.assign(
    {},
    ...(await Promise.all(wanted.map((part) => (typeof part === 'string' ? files[part] : part)[fileOf(language)]?.()))),
  );
}

/** @returns the wanted words of a language, those included that become wanted meanwhile */
async function wordsOf(language: string): Promise<object> {
  const known = [...parts];
  const words = await loadParts(language, known);
  return parts.size === known.length ? words : wordsOf(language);
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

/** Loads words, now and for every language chosen later. */
async function loadWords(needed: readonly Part[]): Promise<void> {
  for (const part of needed) parts.add(part);
  for (let language = ''; language !== page.lang; ) {
    language = page.lang;
    const words = await loadParts(language, needed);
    if (language === page.lang) speak(words, navigator.languages);
  }
}

/** Loads a part of the page together with its words. */
export async function withWords<Module>(needed: readonly Part[], module: Promise<Module>): Promise<Module> {
  await Promise.all([module, loadWords(needed)]);
  return module;
}

/** Loads a part of the page together with the later words. */
export const withLaterWords = <Module>(module: Promise<Module>): Promise<Module> => withWords(['later'], module);

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
