/** The storage that the settings name, once it is known to belong to the database. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { keepKeys, type SomeImage, settleInstallation } from '../database/installation.ts';
import type { Presence } from '../database/presence.ts';
import { ensureOursIn } from './disk/folder.ts';
import { createDiskPartials } from './disk/partials.ts';
import { sweepBoth } from './fallback.ts';
import { matchBoth, matchStorage } from './installation.ts';
import { ensureKnown, tellKnown } from './known-places.ts';
import { createObjectPartials } from './object-partials.ts';
import type { Partials } from './partials.ts';
import { filesOf, openPlace, type Place } from './place.ts';
import { createKeyNotes, type KeyNotes } from './sealed/key-notes.ts';
import { configuredKeys, type Keyring, withoutKeys } from './sealed/keyring.ts';
import { sealWith } from './sealed/objects.ts';
import { ensureKeys, ensureOneOpens } from './sealed/settle.ts';
import type { Staging } from './staging.ts';
import type { Storage } from './storage.ts';

export type StoragePlace = {
  config: Config;
  db: Database;
  presence: Pick<Presence, 'number' | 'agree' | 'said'>;
  log: { warn(details: object, message: string): void };
  /** A server's key, where one is given, is the installation's from its start on; a command's from the first byte that it seals. */
  isServer: boolean;
  /** Where an image's original stands. */
  originalKey: (image: SomeImage) => string;
  /** Keys that are not asked for, since they are believed to have sealed nothing. */
  without?: readonly string[] | undefined;
};

/** @throws ConfigError, one line, for a place that cannot be used or belongs to another database, or a key that is missing; what the database throws */
export async function openStorage(place: StoragePlace): Promise<Storage> {
  const { config, db, presence, log, isServer, originalKey, without = [] } = place;
  const root = filesOf(config);
  const keyring = configuredKeys(config) ?? (without.length > 0 ? withoutKeys : undefined);
  const notes = keyring?.present && createKeyNotes(db, presence, keyring.present.id);
  if (isServer) await tellKnown(config, presence);
  await ensureKnown(config, presence);
  const first = await openPlace(config.storage, config);
  let second: Place | undefined;
  try {
    second = config.storageFallback && (await openPlace(config.storageFallback, config));
    const other = second;
    if (isServer) await notes?.announce();
    let image: SomeImage | undefined;
    const installation = await settleInstallation(db, {
      storage(known) {
        image = known.image;
        return other ? matchBoth(first.marked, other.marked, known, log) : matchStorage(first.marked, known, log);
      },
      keys: (known) =>
        ensureKeys(
          known.filter((id) => !without.includes(id)),
          keyring,
        ),
    });
    let partialsBehind: Partials | undefined;
    const behind =
      other &&
      (async (staging: Staging) => {
        const objects = await other.objects(installation, staging);
        partialsBehind = objects.localPath
          ? createDiskPartials(join(root, 'staging'), ensureOursIn(root, installation))
          : createObjectPartials(objects, staging, objects.list);
        return objects;
      });
    const wrap = keyring && sealWith(keyring, notes?.tell);
    const opened = await first.open({ installation, process: presence.number, wrap, behind }, root);
    const storage = partialsBehind ? { ...opened, partials: sweepBoth(opened.partials, partialsBehind) } : opened;
    try {
      if (image && without.length === 0) await ensureOneOpens(originalKey(image), storage);
      // Not before: one that opens nothing of what is there would be asked for from then on.
      if (isServer && keyring?.present) await settlePresent(db, keyring, keyring.present.id);
      if (isServer) await notes?.tell();
    } catch (error) {
      await storage.close();
      throw error;
    }
    return notes ? tellingKey(storage, notes) : storage;
  } catch (error) {
    first.close();
    second?.close();
    throw error;
  }
}

/** Of servers that start together the second must have the key of the first. @throws ConfigError as ensureKeys does */
async function settlePresent(db: Database, keyring: Keyring, present: string): Promise<void> {
  await keepKeys(db, async (known) => {
    ensureKeys(known, keyring);
    return known.includes(present) ? known : [...known, present];
  });
}

/** What is sealed by this process is known to be, also where a rotation has ended while it still ran with the earlier key. */
const tellingKey = (storage: Storage, notes: KeyNotes): Storage => ({
  ...storage,
  async sweep(isAlive) {
    await notes.again();
    await storage.sweep(isAlive);
  },
  async close() {
    await notes.atEnd();
    await storage.close();
  },
});
