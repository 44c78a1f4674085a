/** The last part of `/s/<key>` and `/s/<short name>`. A short name never has the length of a key. */
import { randomBytes } from 'node:crypto';
import { InvalidRequest } from '../errors.ts';
import { newName, storedName } from '../lib/link-names.ts';

export type Address = { text: string; isKey: boolean };

const keyLength = 22;
const keyForm = /^[\w-]{22}$/;

/** 128 random bits, base64url. */
export const newShareKey = () => randomBytes(16).toString('base64url');

export const pathOf = (text: string) => `/s/${text}`;

/** @returns undefined for what can be neither */
export function addressOf(text: string): Address | undefined {
  if (keyForm.test(text)) return { text, isKey: true };
  return storedName(text) === text ? { text, isKey: false } : undefined;
}

/** @returns the name as stored @throws InvalidName, NameReserved, InvalidRequest */
export function shortName(sent: string): string {
  const name = newName(sent.trim());
  if (name.length === keyLength) {
    throw new InvalidRequest(`A short name cannot have exactly ${keyLength} characters. Make it longer or shorter.`);
  }
  return name;
}
