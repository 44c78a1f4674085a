import { open as openFile } from 'node:fs/promises';
import { guarded } from '../failures.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Staging } from '../staging.ts';
import { createHeader } from './header.ts';
import type { Keyring, MasterKey } from './keyring.ts';
import { SEGMENT_SIZE, streamKeyOf } from './open-sealed.ts';
import { MARK } from './plain-sizes.ts';
import { type LocalFile, piecesOf, sealFile } from './seal-file.ts';
import { sealBytes } from './stream.ts';

/** Registers the present key (key-registry.ts); called before each object is sealed. */
export type RegisterKey = () => Promise<void>;

/** Stores sealed objects, or plain ones without a present key. */
export function createObjectWriter(
  objects: ObjectStore,
  keyring: Keyring,
  staging: Staging,
  registerKey: RegisterKey,
): Pick<ObjectStore, 'commit' | 'write'> {
  async function commit(file: LocalFile, key: string, present: MasterKey): Promise<void> {
    const sealed = await sealFile(piecesOf(file.path), key, present, staging);
    try {
      await objects.commit(sealed, key);
    } finally {
      if (staging.isInUse(sealed.path)) await staging.drop(sealed.path);
    }
  }

  /** Syncs the staged file first: staging does not, because sealed objects are copies. */
  async function commitPlain(file: LocalFile, key: string): Promise<void> {
    const staged = await openFile(file.path, 'r+');
    await staged.sync().finally(() => staged.close());
    await objects.commit(file, key);
  }

  return {
    async commit(file, key) {
      const { present } = keyring;
      if (present) await registerKey();
      await guarded(() => (present ? commit(file, key, present) : commitPlain(file, key)));
    },

    async write(key, bytes) {
      if (!keyring.present || key === MARK) return objects.write(key, bytes);
      await registerKey();
      const { header, dataKey } = createHeader(key, keyring.present, SEGMENT_SIZE);
      return objects.write(key, Buffer.concat([header, sealBytes(streamKeyOf(key, dataKey, SEGMENT_SIZE), bytes)]));
    },
  };
}
