/** The storage that the settings name, once it is known to belong to the database. */
import { join } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { settleInstallation } from '../database/installation.ts';
import { openDiskStorage } from './disk/open.ts';
import { matchStorage } from './installation.ts';
import { configuredKeys } from './sealed/keyring.ts';
import { sealWith } from './sealed/objects.ts';
import { settleKeys } from './sealed/settle.ts';
import type { Storage } from './storage.ts';

type Place = {
  config: Pick<Config, 'dataDir' | 'encryptionKey' | 'encryptionKeyPrevious'>;
  db: Database;
  /** This process's number (database/presence.ts). */
  process: bigint;
  log: { warn(details: object, message: string): void };
};

/** @throws ConfigError, one line, for a folder that cannot be used or belongs to another database, or a key that is missing; what the database throws */
export async function openStorage({ config, db, process, log }: Place): Promise<Storage> {
  const folder = join(config.dataDir, 'files');
  const keyring = configuredKeys(config);
  try {
    const installation = await settleInstallation(db, {
      storage: (known) => matchStorage(folder, known, log),
      keys: (known) => settleKeys(known, keyring),
    });
    return await openDiskStorage(folder, { installation, process, wrap: keyring && sealWith(keyring) });
  } catch (error) {
    const { code, syscall } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (syscall === undefined || 'query' in (error as Error)) throw error;
    throw new ConfigError(`DATA_DIR must be a folder the server can write, but "${folder}" is not (${code})`);
  }
}
