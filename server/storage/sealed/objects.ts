import type { ObjectStore } from '../object-store.ts';
import type { Staging } from '../staging.ts';
import type { Keyring } from './keyring.ts';
import { createObjectReader } from './object-reader.ts';
import { createObjectWriter, type RegisterKey } from './object-writer.ts';
import { createPlainSizes } from './plain-sizes.ts';
import { createSeals } from './sealing/seals.ts';

export const sealWith = (keyring: Keyring, registerKey?: RegisterKey) => (objects: ObjectStore, staging: Staging) =>
  sealStore(objects, keyring, staging, registerKey);

function sealStore(
  objects: ObjectStore,
  keyring: Keyring,
  staging: Staging,
  registerKey: RegisterKey = async () => {},
): ObjectStore {
  const sizes = createPlainSizes(objects);
  return {
    ...createObjectWriter(objects, keyring, staging, registerKey),
    ...createObjectReader(objects, keyring, sizes),
    stat: sizes.stat,
    remove: objects.remove,
    async *list(collection, folder) {
      for await (const listed of objects.list(collection, folder)) {
        const stored = await sizes.stat(listed.key);
        if (stored) yield { ...listed, size: stored.size };
      }
    },
    isHealthy: objects.isHealthy,
    sealing: createSeals(objects, keyring, staging, registerKey),
    close: objects.close,
  };
}
