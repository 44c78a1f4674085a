import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/connect.ts';
import { registerKey } from '../../database/installation.ts';
import type { ProcessRegistry } from '../../database/process-registry.ts';

const topic = 7_346_206;

const numberOf = (id: string): number => Buffer.from(id, 'hex').readUInt32BE() >>> 1;

/** Milliseconds that shutdown may wait for the database. */
const shutdownTimeout = 3_000;

export type KeyRegistry = ReturnType<typeof createKeyRegistry>;

/** @param id the key that this process seals with */
export function createKeyRegistry(db: Database, processRegistry: Pick<ProcessRegistry, 'announce'>, id: string) {
  let registered: Promise<void> | undefined;

  const again = async () => {
    if (registered) await registerKey(db, id);
  };

  return {
    /** Announces the key to running processes only: before the database is asked for its keys. */
    announce: async (): Promise<void> => void (await processRegistry.announce(topic, numberOf(id))),

    /** Registers the key before it seals the first byte; later calls are free. */
    register(): Promise<void> {
      registered ??= (async () => {
        await processRegistry.announce(topic, numberOf(id));
        await registerKey(db, id);
      })().catch((error) => {
        registered = undefined;
        throw error;
      });
      return registered;
    },

    /** Registers the key again if it was used: another process may have removed it. */
    again,

    async atEnd(): Promise<void> {
      await Promise.race([again().catch(() => undefined), sleep(shutdownTimeout, undefined, { ref: false })]);
    },
  };
}

/** @returns whether a running process seals with a given key */
export async function keysInUse(
  processRegistry: Pick<ProcessRegistry, 'announcedValues'>,
): Promise<(id: string) => boolean> {
  const announced = new Set(await processRegistry.announcedValues(topic));
  return (id) => announced.has(numberOf(id));
}
