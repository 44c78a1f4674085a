/** Which language the page speaks. boot.js has chosen one before the first paint; here its words are loaded, and a choice is kept. */
import { useSyncExternalStore } from 'react';
import { browserStorage } from '../lib/browser-storage.ts';
import { directionOf } from './direction.ts';
import { type LaterTexts, speak, speakLater, type Texts } from './texts.ts';

/** By the languages' codes. */
const byCode = <Load>(files: Record<string, Load>) =>
  new Map(Object.entries(files).map(([file, load]) => [file.slice(file.lastIndexOf('/') + 1, -'.ts'.length), load]));

// One file a language, of which the build makes two (language-parts-plugin.ts).
const loaders = byCode(import.meta.glob<{ texts: Texts }>('./languages/*.ts', { query: '?first' }));
const laterLoaders = byCode(import.meta.glob<{ later: LaterTexts }>('./languages/*.ts', { query: '?later' }));
/** Their codes. */
export const languages: readonly string[] = [...loaders.keys()];

const page = document.documentElement;
const listeners = new Set<() => void>();
let wanted = '';
let isLaterWanted = false;

async function load(language: string): Promise<boolean> {
  wanted = language;
  const loadRest = () => (isLaterWanted ? laterLoaders.get(language)?.() : undefined);
  const [file, begun] = await Promise.all([loaders.get(language)?.(), loadRest()]);
  // A screen that says later words may have been opened meanwhile.
  const rest = begun ?? (await loadRest());
  // Somebody who presses twice gets what was asked for last.
  if (!file || wanted !== language) return false;
  speak(file.texts, navigator.languages);
  if (rest) speakLater(rest.later);
  page.lang = language;
  page.dir = directionOf(language);
  for (const listener of listeners) listener();
  return true;
}

/** Loads the words of the language that the page came up in; where they cannot be had, the English ones. */
export async function loadLanguage(): Promise<void> {
  const language = loaders.has(page.lang) ? page.lang : 'en';
  await load(language).catch((error) => (language === 'en' ? Promise.reject(error) : load('en')));
}

/** Loads the words of the screens that few begin with, and from now on those of every language that is chosen. */
async function loadLaterWords(): Promise<void> {
  isLaterWanted = true;
  for (let language = ''; language !== page.lang; ) {
    language = page.lang;
    const file = await laterLoaders.get(language)?.();
    if (file && language === page.lang) speakLater(file.later);
  }
}

/** A part of the page together with the words that are not loaded with the first screens. */
export async function withLaterWords<Part>(part: Promise<Part>): Promise<Part> {
  await Promise.all([part, loadLaterWords()]);
  return part;
}

/** Changes the language where the page stands, and keeps it as the reader's choice. Rejects where its words cannot be loaded. */
export async function chooseLanguage(language: string): Promise<void> {
  if (await load(language)) browserStorage.setItem('language', language);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The language; whatever calls this is drawn anew when it changes. App does, and so must every memo() component. */
export function useLanguage(): string {
  return useSyncExternalStore(subscribe, () => page.lang);
}

/** What the language is called in its own words: `العربية`. */
export function nameOf(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** The language that a press of the switch leads to. */
export const languageAfter = (language: string): string =>
  languages[(languages.indexOf(language) + 1) % languages.length] ?? 'en';
