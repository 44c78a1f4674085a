/** The first parts of all keys: writers invalidate by them. */
import type { Key } from './query.ts';

/** The pages of the gallery, in every order and search. */
export const imagesKey: Key = ['images'];
export const albumsKey: Key = ['albums'];
export const usageKey: Key = ['usage'];
export const sessionsKey: Key = ['sessions'];
export const userKey: Key = ['user'];
export const mailKey: Key = ['mail'];
export const tokensKey: Key = ['tokens'];
export const factorsKey: Key = ['factors'];
export const commandLineKey: Key = ['command-line'];
export const identitiesKey: Key = ['identities'];
