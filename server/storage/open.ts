/** The storage that the settings name, once it is known to belong to the database. */
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { noteKey, settleInstallation } from '../database/installation.ts';
import { matchBoth, matchStorage } from './installation.ts';
import { filesOf, openPlace, type Place } from './place.ts';
import { configuredKeys } from './sealed/keyring.ts';
import { sealWith } from './sealed/objects.ts';
import { settleKeys } from './sealed/settle.ts';
import type { Staging } from './staging.ts';
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
  const root = filesOf(config);
  const keyring = configuredKeys(config);
  const first = await openPlace(config.storage, config);
  let second: Place | undefined;
  try {
    second = config.storageFallback && (await openPlace(config.storageFallback, config));
    const other = second;
    const installation = await settleInstallation(db, {
      storage: (known) =>
        other ? matchBoth(first.marked, other.marked, known, log) : matchStorage(first.marked, known, log),
      keys: (known) => settleKeys(known, keyring),
    });
    const behind = other && ((staging: Staging) => other.objects(installation, staging));
    const owner = { installation, process, wrap: keyring && sealWith(keyring), behind };
    const storage = await first.open(owner, root);
    return keyring?.present ? tellingKey(storage, db, keyring.present.id) : storage;
  } catch (error) {
    first.close();
    second?.close();
    throw error;
  }
}

/** What is sealed by this process is known to be, also where a rotation has ended while it still ran with the earlier key. */
const tellingKey = (storage: Storage, db: Database, id: string): Storage => ({
  ...storage,
  async sweep(isAlive) {
    await noteKey(db, id);
    await storage.sweep(isAlive);
  },
});
