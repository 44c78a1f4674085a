/** Which language the page speaks. boot.js has chosen one before the first paint; here its words are loaded, and a choice is kept. */
import { useSyncExternalStore } from 'react';
import { browserStorage } from '../lib/browser-storage.ts';
import { directionOf } from './direction.ts';
import { speak, type Texts } from './texts.ts';

const files = import.meta.glob<{ texts: Texts }>('./languages/*.ts');
const loaders = new Map(
  Object.entries(files).map(([file, load]) => [file.slice(file.lastIndexOf('/') + 1, -'.ts'.length), load]),
);
/** Their codes. */
export const languages: readonly string[] = [...loaders.keys()];

const page = document.documentElement;
const listeners = new Set<() => void>();
let wanted = '';

async function load(language: string): Promise<boolean> {
  wanted = language;
  const file = await loaders.get(language)?.();
  // Somebody who presses twice gets what was asked for last.
  if (!file || wanted !== language) return false;
  speak(file.texts, navigator.languages);
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
