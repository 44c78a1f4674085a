/** Upload keys make retries safe after a lost response: an owner has at most one image under a key. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Access } from '../database/statements/access.ts';
import { InvalidRequest } from '../errors.ts';

const uploadKey = /^[\w-]{1,64}$/;

type Caller = Pick<Access, 'albumId' | 'guest'>;

/** A token that is restricted to an album must not find images outside it by their keys, nor a guest those of others. */
export const keyScope = ({ albumId, guest }: Caller): string | null => guest?.id ?? albumId;

const keyWithin = (scope: string, key: string) => createHash('sha256').update(`${scope} ${key}`).digest('base64url');

/** The keys in the Upload-Keys header, one for each file of the form in its order. @throws InvalidRequest */
export function readUploadKeys({ headers, access }: Pick<FastifyRequest, 'headers' | 'access'>): string[] {
  const sent = headers['upload-keys'];
  if (sent === undefined) return [];
  const keys = String(sent)
    .split(',')
    .map((key) => key.trim());
  return keys.map((key) => uploadKeyOf(access, key, 'Upload-Keys'));
}

/** @param name of the header or the metadata that contains the key @returns the key as stored @throws InvalidRequest */
export function uploadKeyOf(caller: Caller, key: string, name: string): string {
  if (!uploadKey.test(key)) {
    throw new InvalidRequest(`A key in ${name} has 1 to 64 letters, digits, "-" and "_".`);
  }
  const scope = keyScope(caller);
  return scope === null ? key : keyWithin(scope, key);
}

type Keyed = { id: string; uploadKey?: string | null };
type Known = Keyed & { sha256: string };

export const keysOf = (some: Keyed[]): string[] => some.flatMap(({ uploadKey: key }) => key ?? []);

/** Drops keys that other bytes already use, so that a client that numbers the files of each form loses none. */
export function withoutForeignKeys<T extends Known>(wanted: T[], present: Known[]): T[] {
  const bytesOf = new Map(present.map(({ uploadKey: key, sha256 }) => [key, sha256]));
  return wanted.map((image) => {
    const { uploadKey: key, sha256 } = image;
    if (!key) return image;
    const known = bytesOf.get(key) ?? sha256;
    bytesOf.set(key, known);
    return known === sha256 ? image : { ...image, uploadKey: null };
  });
}

/** The wanted images that are not stored under their key, each key once. */
export function notPresent<T extends Keyed>(wanted: T[], present: Keyed[]): T[] {
  const seen = new Set(keysOf(present));
  return wanted.filter(({ uploadKey: key }) => {
    if (!key) return true;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** The stored images in the order of the wanted ones. */
export function inOrder<T extends Keyed>(wanted: Keyed[], stored: T[]): T[] {
  const byId = new Map(stored.map((one) => [one.id, one]));
  const byKey = new Map(stored.map((one) => [one.uploadKey, one]));
  return wanted.flatMap(({ id, uploadKey: key }) => byId.get(id) ?? (key ? byKey.get(key) : undefined) ?? []);
}
