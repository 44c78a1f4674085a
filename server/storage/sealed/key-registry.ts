/** By which keys something is sealed, or may be: told before the first byte, to the database and to living processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/connect.ts';
import { noteKey } from '../../database/installation.ts';
import type { ProcessRegistry } from '../../database/process-registry.ts';

/** Of all that processes say of themselves (database/process-registry.ts). */
const topic = 7_346_206;

/** 31 bits that tell two keys apart. */
const numberOf = (id: string): number => Buffer.from(id, 'hex').readUInt32BE() >>> 1;

/** Milliseconds that the end of a process may wait for a database that is away. */
const patience = 3_000;

export type KeyRegistry = ReturnType<typeof createKeyRegistry>;

/** @param id of the key that this process seals with, if it seals */
export function createKeyRegistry(db: Database, presence: Pick<ProcessRegistry, 'agree'>, id: string) {
  let told: Promise<void> | undefined;

  const again = async () => {
    if (told) await noteKey(db, id);
  };

  return {
    /** To living processes alone: before the database is asked which keys it knows. */
    announce: async (): Promise<void> => void (await presence.agree(topic, numberOf(id))),

    /** Before anything is sealed: once done, it costs nothing. */
    tell(): Promise<void> {
      told ??= (async () => {
        await presence.agree(topic, numberOf(id));
        await noteKey(db, id);
      })().catch((error) => {
        told = undefined;
        throw error;
      });
      return told;
    },

    /** Now and then, where it seals: another process may have taken its key for forgotten. */
    again,

    /** When it seals no more. */
    async atEnd(): Promise<void> {
      await Promise.race([again().catch(() => undefined), sleep(patience, undefined, { ref: false })]);
    },
  };
}

/** @returns whether a living process seals with the key of an id */
export async function keysInUse(presence: Pick<ProcessRegistry, 'said'>): Promise<(id: string) => boolean> {
  const said = new Set(await presence.said(topic));
  return (id) => said.has(numberOf(id));
}
