/** Master keys, of which nothing is used as it is: what wraps and what names a key are derived from it. */
import { hkdfSync } from 'node:crypto';
import type { Config } from '../../config/config.ts';

export const KEY_SIZE = 32;
export const KEY_ID_SIZE = 16;

export type MasterKey = {
  /** Names the key and tells nothing of it: hex, 16 bytes. */
  readonly id: string;
  /** The key that wraps the data key of the object with this name: of no two objects the same. */
  wrappingKey(name: string): Buffer;
};

export type Keyring = {
  /** Seals what is written. Without one, what is written stays plain, and what is sealed can be read. */
  readonly present: MasterKey | undefined;
  /** Answers undefined for a key that is not on the ring. */
  find(id: string): MasterKey | undefined;
  /** The ids of all keys, the present one's first. */
  readonly ids: readonly string[];
};

const derive = (key: Uint8Array, purpose: string, size: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `gallery sealed object 1, ${purpose}`, size));

/** @param key 32 random bytes */
export function masterKeyOf(key: Uint8Array): MasterKey {
  if (key.length !== KEY_SIZE) throw new TypeError('a master key has 32 bytes');
  return {
    id: derive(key, 'key id', KEY_ID_SIZE).toString('hex'),
    wrappingKey: (name) => derive(key, `wrapping key of ${name}`, KEY_SIZE),
  };
}

/** Opens nothing, and tells what is sealed from what is plain. */
export const withoutKeys: Keyring = { present: undefined, find: () => undefined, ids: [] };

/**
 * The keys of the settings.
 * @returns undefined where there is none
 */
export function configuredKeys({
  encryptionKey,
  encryptionKeyPrevious,
}: Pick<Config, 'encryptionKey' | 'encryptionKeyPrevious'>): Keyring | undefined {
  const present = encryptionKey && masterKeyOf(encryptionKey);
  const all = [...(present ? [present] : []), ...encryptionKeyPrevious.map(masterKeyOf)];
  if (all.length === 0) return undefined;
  const byId = new Map(all.map((key) => [key.id, key]));
  return { present, find: (id) => byId.get(id), ids: [...byId.keys()] };
}
