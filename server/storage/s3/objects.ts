import { sha256Of } from '../../lib/sha256.ts';
import { isKey, type ObjectStore } from '../object-store.ts';
import type { S3Calls } from './calls.ts';
import { guardedS3 } from './failures.ts';
import { confirmAbsent, type MarkerWatch } from './marker.ts';
import { createObjectReader } from './object-reader.ts';

type Backend = {
  calls: S3Calls;
  prefix: string;
  marker: MarkerWatch;
};

export function createS3Store({ calls, prefix, marker }: Backend): ObjectStore {
  const reader = createObjectReader({ calls, marker });

  const nameOf = (key: string) => {
    if (!isKey(key)) throw new TypeError(`${JSON.stringify(key)} is no key of the storage`);
    return `${prefix}${key}`;
  };

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const name = nameOf(key);
    await marker.assertOwned();
    await calls.put(name, bytes, { size: bytes.length, sha256: sha256Of(bytes) });
  }

  async function commit(file: { path: string; size: number; sha256: string }, key: string): Promise<void> {
    const name = nameOf(key);
    await marker.assertOwned();
    await calls.putFile(file.path, name, file);
  }

  async function remove(key: string): Promise<void> {
    const name = nameOf(key);
    await marker.assertOwned();
    await calls.remove(name).catch((error: unknown) => confirmAbsent(marker, error));
  }

  async function* list(start: string) {
    await guardedS3(marker.assertOwnedNow);
    for await (const { name, ...listed } of calls.listAll(start)) {
      const key = name.slice(prefix.length);
      if (isKey(key)) yield { ...listed, key };
    }
  }

  return {
    commit: (file, key) => guardedS3(() => commit(file, key)),
    write: (key, bytes) => guardedS3(() => write(key, bytes)),
    read: (key, range) => guardedS3(async () => reader.read(nameOf(key), range)),
    open: (key, part) => guardedS3(async () => reader.open(nameOf(key), part)),
    stat: (key) => guardedS3(async () => reader.stat(nameOf(key))),
    remove: (key) => guardedS3(() => remove(key)),
    list: (collection, folder) => list(`${prefix}${collection}/${folder === undefined ? '' : `${folder}/`}`),
    link: async (key, as) => calls.link(nameOf(key), as),
    isHealthy: () =>
      marker.assertOwnedNow().then(
        () => true,
        () => false,
      ),
    close: async () => calls.close(),
  };
}
