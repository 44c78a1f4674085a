/** The storage that the settings name, once it is known to belong to the database. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { noteKey, settleInstallation } from '../database/installation.ts';
import { belowDataDir } from './data-dir.ts';
import { markedFolder } from './disk/marked.ts';
import { openDiskStorage } from './disk/open.ts';
import { type MarkedPlace, matchStorage } from './installation.ts';
import { configuredKeys } from './sealed/keyring.ts';
import { sealWith } from './sealed/objects.ts';
import { settleKeys } from './sealed/settle.ts';
import type { Storage } from './storage.ts';

export type StoragePlace = {
  config: Config;
  db: Database;
  /** This process's number (database/presence.ts). */
  process: bigint;
  log: { warn(details: object, message: string): void };
};

/** @throws ConfigError, one line, for a place that cannot be used or belongs to another database, or a key that is missing; what the database throws */
export async function openStorage({ config, db, process, log }: StoragePlace): Promise<Storage> {
  const folder = join(config.dataDir, 'files');
  const keyring = configuredKeys(config);
  const wrap = keyring && sealWith(keyring);
  const settle = (place: MarkedPlace) =>
    settleInstallation(db, {
      storage: (known) => matchStorage(place, known, log),
      keys: (known) => settleKeys(known, keyring),
    });
  const telling = (storage: Storage) => (keyring?.present ? tellingKey(storage, db, keyring.present.id) : storage);
  if (config.storage === 's3') {
    // Only here: the SDK is large.
    const { openMatchedS3Storage } = await import('./s3/open.ts');
    return telling(await openMatchedS3Storage(config, { root: folder, process, wrap, settle }));
  }
  return belowDataDir(folder, async () => {
    const installation = await settle(markedFolder(folder));
    return telling(await openDiskStorage(folder, { installation, process, wrap }));
  });
}

/** What is sealed by this process is known to be, also where a rotation has ended while it still ran with the earlier key. */
const tellingKey = (storage: Storage, db: Database, id: string): Storage => ({
  ...storage,
  async sweep(isAlive) {
    await noteKey(db, id);
    await storage.sweep(isAlive);
  },
});
