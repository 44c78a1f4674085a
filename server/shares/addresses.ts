/** The last part of `/s/<key>` and `/s/<short name>`. A short name never has the length of a key. */
import { randomBytes } from 'node:crypto';
import { InvalidRequest } from '../errors.ts';

export type Address = { text: string; isKey: boolean };

const keyLength = 22;
const keyForm = /^[\w-]{22}$/;
const nameForm = /^[a-z0-9_-]{3,64}$/;

/** 128 random bits, base64url. */
export const newShareKey = () => randomBytes(16).toString('base64url');

export const pathOf = (text: string) => `/s/${text}`;

/** @returns undefined for what can be neither */
export function addressOf(text: string): Address | undefined {
  if (keyForm.test(text)) return { text, isKey: true };
  return nameForm.test(text) ? { text, isKey: false } : undefined;
}

/** Names that people would take for a part of the product, and for its other links. */
const reserved = new Set([
  ...['about', 'account', 'admin', 'album', 'albums', 'api', 'app', 'assets', 'auth', 'collect', 'dashboard', 'delete'],
  ...['download', 'edit', 'favicon', 'gallery', 'health', 'help', 'image', 'images', 'index', 'link', 'links', 'login'],
  ...['logout', 'manifest', 'metrics', 'new', 'null', 'oembed', 'password', 'public', 'register', 'robots', 'root'],
  ...['search', 'security', 'settings', 'share', 'shares', 'static', 'status', 'support', 'system', 'undefined'],
  ...['upload', 'uploads', 'user', 'users', 'well-known', 'www', 'zip'],
]);

/** @returns the name in lower case @throws InvalidRequest */
export function shortName(sent: string): string {
  const name = sent.trim().toLowerCase();
  if (!nameForm.test(name)) {
    throw new InvalidRequest('A short name has 3 to 64 characters of a-z, 0-9, - and _. Choose another one.');
  }
  if (name.length === keyLength) {
    throw new InvalidRequest(`A short name cannot have exactly ${keyLength} characters. Make it longer or shorter.`);
  }
  if (reserved.has(name)) throw new InvalidRequest('This short name is reserved. Choose another one.');
  return name;
}
