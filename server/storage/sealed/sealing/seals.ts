import type { ObjectStore } from '../../object-store.ts';
import type { Outcome, Seals } from '../../seals.ts';
import type { Staging } from '../../staging.ts';
import { isSealed, openHeader } from '../header.ts';
import type { Keyring, MasterKey } from '../keyring.ts';
import { beginningAt, beginningOf, bytesOf } from './object-bytes.ts';
import { createReplacement, retryChanged } from './replacement.ts';
import { createRewrap } from './rewrap.ts';
import { createSeal } from './seal.ts';

/** @param registerKey registers the present key; called before each object is sealed */
export function createSeals(
  objects: ObjectStore,
  keyring: Keyring,
  staging: Staging,
  registerKey: () => Promise<void>,
): Seals {
  /** Registers the key only once the object could be opened: a useless key must not become required. */
  async function registeredKey(): Promise<MasterKey> {
    if (!keyring.present) throw new TypeError('there is no key to seal with');
    await registerKey();
    return keyring.present;
  }

  const replacement = createReplacement(objects, keyring, staging);
  const seal = createSeal({ objects, staging, replacement, registeredKey });
  const rewrap = createRewrap({ objects, keyring, staging, replacement, registeredKey });

  async function look(key: string): Promise<Outcome> {
    const beginning = await beginningAt(key, objects);
    if (!beginning) return 'missing';
    if (!isSealed(beginning)) return 'plain';
    openHeader(beginning, key, keyring);
    return 'before';
  }

  return {
    keyring,
    async *pieces() {
      // On a disk, pieces are staging files.
      if (objects.localPath) return;
      for await (const { key } of objects.list('partials')) yield key;
    },
    look: (key) => retryChanged(key, () => look(key)),
    async stored(key) {
      const file = await objects.open(key);
      if (!file) return undefined;
      const beginning = await beginningOf(file).catch(async (error) => {
        await file.close();
        throw error;
      });
      if (isSealed(beginning)) {
        return { beginning, rest: bytesOf(file, Buffer.alloc(0), beginning.length), close: file.close };
      }
      await file.close();
      return undefined;
    },
    seal: (key, sha256, put) => retryChanged(key, () => seal({ key, sha256 }, put)),
    rewrap: (key, sha256, put) => retryChanged(key, () => rewrap({ key, sha256 }, put)),
  };
}
