/** The page's language. boot.js chooses one before the first paint; this module loads its words and stores a choice. */
import { useSyncExternalStore } from 'react';
import { browserStorage } from '../lib/browser-storage.ts';
import { directionOf } from './direction.ts';
import { type LaterTexts, speak, speakLater, type Texts } from './texts.ts';

/** By language code. */
const byCode = <Load>(files: Record<string, Load>) =>
  new Map(Object.entries(files).map(([file, load]) => [file.slice(file.lastIndexOf('/') + 1, -'.ts'.length), load]));

// The build splits each language's file in two (language-parts-plugin.ts).
const loaders = byCode(import.meta.glob<{ texts: Texts }>('./languages/*.ts', { query: '?first' }));
const laterLoaders = byCode(import.meta.glob<{ later: LaterTexts }>('./languages/*.ts', { query: '?later' }));
/** The language codes. */
export const languages: readonly string[] = [...loaders.keys()];

const page = document.documentElement;
const listeners = new Set<() => void>();
let wanted = '';
let isLaterWanted = false;

async function load(language: string): Promise<boolean> {
  wanted = language;
  const loadRest = () => (isLaterWanted ? laterLoaders.get(language)?.() : undefined);
  const [file, begun] = await Promise.all([loaders.get(language)?.(), loadRest()]);
  // A screen that needs the later words may have opened meanwhile.
  const rest = begun ?? (await loadRest());
  // If the user chooses several times in a row, the last choice wins.
  if (!file || wanted !== language) return false;
  speak(file.texts, navigator.languages);
  if (rest) speakLater(rest.later);
  page.lang = language;
  page.dir = directionOf(language);
  for (const listener of listeners) listener();
  return true;
}

/** Loads the words of the language that boot.js chose, or English if that fails. */
export async function loadLanguage(): Promise<void> {
  const language = loaders.has(page.lang) ? page.lang : 'en';
  await load(language).catch((error) => (language === 'en' ? Promise.reject(error) : load('en')));
}

/** Loads the words of the less common screens, now and for every language chosen later. */
async function loadLaterWords(): Promise<void> {
  isLaterWanted = true;
  for (let language = ''; language !== page.lang; ) {
    language = page.lang;
    const file = await laterLoaders.get(language)?.();
    if (file && language === page.lang) speakLater(file.later);
  }
}

/** Loads a part of the page together with the later words. */
export async function withLaterWords<Part>(part: Promise<Part>): Promise<Part> {
  await Promise.all([part, loadLaterWords()]);
  return part;
}

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
