import { hkdfSync } from 'node:crypto';
import type { Config } from '../../config/config.ts';

const KEY_SIZE = 32;
export const KEY_ID_SIZE = 16;

export type MasterKey = {
  /** Identifies the key without revealing it: hex, 16 bytes. */
  readonly id: string;
  /** The key that wraps the data key of the object with this name; different for each object. */
  wrappingKey(name: string): Buffer;
};

export type Keyring = {
  /** Seals new objects. Without it, new objects stay plain and sealed ones are readable. */
  readonly present: MasterKey | undefined;
  find(id: string): MasterKey | undefined;
  readonly ids: readonly string[];
};

const derive = (key: Uint8Array, purpose: string, size: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `gallery sealed object 1, ${purpose}`, size));

/** @param key 32 random bytes */
function masterKeyOf(key: Uint8Array): MasterKey {
  if (key.length !== KEY_SIZE) throw new TypeError('a master key has 32 bytes');
  return {
    id: derive(key, 'key id', KEY_ID_SIZE).toString('hex'),
    wrappingKey: (name) => derive(key, `wrapping key of ${name}`, KEY_SIZE),
  };
}

/** Opens nothing, but distinguishes sealed objects from plain ones. */
export const withoutKeys: Keyring = { present: undefined, find: () => undefined, ids: [] };

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
