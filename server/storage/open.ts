import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import { retainKeys, type SampleImage, type StoredInstallation, updateInstallation } from '../database/installation.ts';
import type { ProcessRegistry } from '../database/process-registry.ts';
import { hasUnsealed } from '../database/statements/unsealed.ts';
import { adminCommand } from '../lib/admin-command.ts';
import { type Backend, filesOf } from './backend.ts';
import { assertOwnedIn } from './disk/folder.ts';
import { createDiskPartials } from './disk/partials.ts';
import { sweepBoth } from './fallback.ts';
import { createObjectPartials } from './object-partials.ts';
import { openBackend } from './open-backend.ts';
import { ensureRestored, matchBoth, matchStorage } from './ownership/installation.ts';
import { ensureRegistered, register } from './ownership/registered-backends.ts';
import type { Partials } from './partials.ts';
import { createKeyRegistry, type KeyRegistry } from './sealed/key-registry.ts';
import { configuredKeys, type Keyring, withoutKeys } from './sealed/keyring.ts';
import { sealWith } from './sealed/objects.ts';
import { ensureKeys, ensureOneOpens } from './sealed/validate-keys.ts';
import type { Staging } from './staging.ts';
import type { Storage } from './storage.ts';

export type StorageBackends = {
  config: Config;
  db: Database;
  processRegistry: Pick<ProcessRegistry, 'number' | 'announce' | 'announcedValues'>;
  log: { warn(details: object, message: string): void };
  /** A server registers its key at the start; a command only when it seals. */
  isServer: boolean;
  /** Whether to log warnings about the stored pictures: true in one worker of a server. */
  isFirstWorker?: boolean | undefined;
  originalKey: (image: SampleImage) => string;
  /** Ids of keys that need not be present, because they are believed to have sealed nothing. */
  without?: readonly string[] | undefined;
};

/** Checks that the storage belongs to the database. @throws ConfigError if it is unusable or foreign, or a key is missing */
export async function openStorage(backends: StorageBackends): Promise<Storage> {
  const { config, db, processRegistry, log, isServer, isFirstWorker = false, originalKey, without = [] } = backends;
  const root = filesOf(config);
  const keyring = configuredKeys(config) ?? (without.length > 0 ? withoutKeys : undefined);
  const keyRegistry = keyring?.present && createKeyRegistry(db, processRegistry, keyring.present.id);
  if (isServer) await register(config, processRegistry);
  await ensureRegistered(config, processRegistry);
  const first = await openBackend(config.storage, config);
  let second: Backend | undefined;
  try {
    second = config.storageFallback && (await openBackend(config.storageFallback, config));
    const other = second;
    if (isServer) await keyRegistry?.announce();
    let image: StoredInstallation['image'];
    const installation = await updateInstallation(db, {
      async storage(known) {
        image = known.image;
        await ensureRestored(first, known);
        if (other) await ensureRestored(other, known);
        return other ? matchBoth(first.marker, other.marker, known, log) : matchStorage(first.marker, known, log);
      },
      keys: (known) =>
        ensureKeys(
          known.filter((id) => !without.includes(id)),
          keyring,
        ),
    });
    let fallbackPartials: Partials | undefined;
    const fallback =
      other &&
      (async (staging: Staging) => {
        const objects = await other.objects(installation, staging);
        fallbackPartials = objects.localPath
          ? createDiskPartials(join(root, 'staging'), assertOwnedIn(root, installation))
          : createObjectPartials(objects, staging, objects.list);
        return objects;
      });
    const wrap = keyring && sealWith(keyring, keyRegistry?.register);
    const opened = await first.open({ installation, process: processRegistry.number, wrap, fallback }, root);
    const storage = fallbackPartials ? { ...opened, partials: sweepBoth(opened.partials, fallbackPartials) } : opened;
    try {
      if (image && without.length === 0) {
        const isPlain = await ensureOneOpens(originalKey(image), storage);
        if (isPlain && image.sealed && isFirstWorker) log.warn({ key: originalKey(image) }, plainThoughSealed());
      }
      // After the check: a key that does not open the stored bytes must not be registered as required.
      if (isServer && keyring?.present) await settlePresent(db, keyring, keyring.present.id);
      if (isServer) await keyRegistry?.register();
    } catch (error) {
      await storage.close();
      throw error;
    }
    if (!keyRegistry) return storage;
    const unsealedCheck = isFirstWorker ? warnOfUnsealed(db, log) : undefined;
    return withKeyRegistry(storage, keyRegistry, unsealedCheck);
  } catch (error) {
    first.close();
    second?.close();
    throw error;
  }
}

const notAllSealed = () =>
  'ENCRYPTION_KEY is set, and some pictures are not marked as sealed: plain bytes in their place are not refused before ' +
  `they are read. "${adminCommand('encrypt')}" seals and marks them while the server runs`;

const plainThoughSealed = () =>
  'a picture that is marked as sealed is stored plain, so it is refused. If STORAGE and STORAGE_FALLBACK were exchanged, ' +
  `run "${adminCommand('encrypt')}" with ENCRYPTION_KEY, or exchange them again`;

/** Runs in the background: if all pictures are marked, it reads every row. */
const warnOfUnsealed = (db: Database, log: StorageBackends['log']): Promise<void> =>
  hasUnsealed(db).then(
    (has) => void (has && log.warn({}, notAllSealed())),
    (err) => log.warn({ err }, 'marks of sealed pictures not read'),
  );

/** Registers the key; the second of two servers that start together must have the first one's. @throws ConfigError */
async function settlePresent(db: Database, keyring: Keyring, present: string): Promise<void> {
  await retainKeys(db, async (known) => {
    ensureKeys(known, keyring);
    return known.includes(present) ? known : [...known, present];
  });
}

/** Registers the key again on each sweep: a rotation may have ended while this process still used the previous key. */
const withKeyRegistry = (storage: Storage, keyRegistry: KeyRegistry, unsealedCheck?: Promise<void>): Storage => ({
  ...storage,
  async sweep(isAlive) {
    await keyRegistry.again();
    await storage.sweep(isAlive);
  },
  async close() {
    await unsealedCheck;
    await keyRegistry.atEnd();
    await storage.close();
  },
});
