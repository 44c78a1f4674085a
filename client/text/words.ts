/**
 * The texts of the current language, one binding for each area: `import { upload as texts } from '../text/words.ts'`. The
 * bindings change with the language (language.ts): read them at render time, and never store a text in a module constant.
 */
import type * as english from './languages/en.ts';
import type { Refusal } from './refusal.ts';

/** The parts that every language has; a missing text is a type error. They load one by one (language.ts). */
export type StartWords = typeof english.start;
export type AuthWords = typeof english.auth;
export type GalleryWords = typeof english.gallery;
export type UploadWords = typeof english.upload;
export type LaterWords = typeof english.later;
export type SettingsWords = typeof english.settings;
export type SharingWords = typeof english.sharing;
export type TokensWords = typeof english.tokens;
export type AdministrationWords = typeof english.administration;
export type ProviderWords = typeof english.provider;
export type FactorsWords = typeof english.factors;
/** `start` is for every page, `auth` for the pages that log in or change an account, and `later` for all without a part. */
export type WordsPart = 'start' | 'auth' | 'gallery' | 'upload' | 'later' | 'settings';
type Words = StartWords &
  AuthWords &
  GalleryWords &
  UploadWords &
  LaterWords &
  SettingsWords &
  SharingWords &
  TokensWords &
  AdministrationWords &
  ProviderWords &
  FactorsWords;

const current: Partial<Words> = {};

/** The Intl locale for dates, numbers and sizes; the system's before a language is loaded. */
export let locale: string | undefined;
/** The separator between facts in one line. */
export let separator = ' · ';
/** The language of the server's mails for an action on this page. */
export let mailLanguage: Words['mailLanguage'] = 'en';

export let administration: Words['administration'];
export let albums: Words['albums'];
export let api: Words['api'];
export let auth: Words['auth'];
export let claim: Words['claim'];
export let emptyGallery: Words['emptyGallery'];
export let factors: Words['factors'];
export let finding: Words['finding'];
export let gallery: Words['gallery'];
export let install: Words['install'];
export let keyboard: Words['keyboard'];
export let links: Words['links'];
export let notFound: Words['notFound'];
export let passwords: Words['passwords'];
export let preview: Words['preview'];
export let provider: Words['provider'];
export let reminder: Words['reminder'];
export let selection: Words['selection'];
export let settings: Words['settings'];
export let shell: Words['shell'];
export let tokens: Words['tokens'];
export let undo: Words['undo'];
export let upload: Words['upload'];
export let usage: Words['usage'];
export let video: Words['video'];
export let waysIn: Words['waysIn'];

/** The language's locale, or the reader's if the language has no region. */
const localeFor = (own: string, readers: readonly string[]): string =>
  own.includes('-') ? own : (readers.find((reader) => reader.toLowerCase().startsWith(`${own}-`)) ?? own);

/** Sets the texts of one or more parts. `readers`: the locales of the reader's browser. */
export function speak(parts: Partial<Words>, readers: readonly string[] = []): void {
  // A part that has not loaded yet is undefined: no screen that needs it is shown.
  const words = Object.assign(current, parts) as Words;
  locale = localeFor(words.locale, readers);
  ({
    separator,
    mailLanguage,
    administration,
    albums,
    api,
    auth,
    claim,
    emptyGallery,
    factors,
    finding,
    gallery,
    install,
    keyboard,
  } = words);
  ({ links, notFound, passwords, preview, provider, reminder, selection, settings, shell } = words);
  ({ tokens, undo, upload, usage, video, waysIn } = words);
}

/** Why the server refused. Most areas contain the reasons that only their own calls can get, and `api` all others. */
export const refusalText = (refusal: Refusal): string => {
  for (const words of Object.values(current) as { refusal?: (refusal: Refusal) => string | undefined }[]) {
    const text = words === api ? undefined : words.refusal?.(refusal);
    if (text !== undefined) return text;
  }
  return api.refusal(refusal);
};
