/**
 * The process registry: each process holds an advisory lock on a random number, on a separate connection. However the
 * process ends, the lock ends with it; neither clocks nor process ids matter.
 */
import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import type { Address } from './address.ts';
import type { Log } from './log.ts';
import { openReconnectingSession } from './reconnecting-session.ts';

export type ProcessRegistry = {
  /** This process's number, at least 2^62, so that it never collides with other locks of the program. */
  readonly number: bigint;
  /** Whether the process with this number is running. Throws if the database is unavailable. */
  isAlive(number: bigint): Promise<boolean>;
  /**
   * Announces, while this process runs, its value of a setting that all processes must share.
   * @param topic identifies the setting, 0 to 2^31-1 @param value in the same range
   * @returns how many different values running processes have, including this one
   */
  announce(topic: number, value: number): Promise<number>;
  announcedValues(topic: number): Promise<number[]>;
  close(): Promise<void>;
};

/** No process has this number: any process may take over work recorded under it. */
export const UNOWNED = 0n;

const randomNumber = () => (randomBytes(8).readBigUInt64BE() >> 2n) | (1n << 62n);

/** @param options.sql queries the registry; the lock itself has a separate connection */
export async function joinProcesses(
  address: Address,
  { sql, log }: { sql: postgres.Sql; log: Log },
): Promise<ProcessRegistry> {
  const number = randomNumber();
  const ownValues = new Map<number, number>();

  /** Locks on two numbers never collide with locks on one; shared locks never wait. */
  const lockValue = (own: postgres.Sql, topic: number, value: number) =>
    own`select pg_advisory_lock_shared(${topic}::int, ${value}::int)`;

  const session = openReconnectingSession(address, {
    name: 'gallery process registry',
    async prepare(own) {
      await own`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`;
      await own`select pg_advisory_lock(${String(number)}::bigint)`;
      for (const [topic, value] of ownValues) await lockValue(own, topic, value);
    },
    onLost: () => log.error({}, 'lost the process registry lock; acquiring it again'),
    onRestored: () => log.info('acquired the process registry lock again'),
  });
  await session.opened.catch(async (error) => {
    await session.close();
    throw error;
  });

  async function announcedValues(topic: number): Promise<number[]> {
    const rows = await sql`select distinct objid::bigint::int as value from pg_locks
      where locktype = 'advisory' and granted and objsubid = 2 and classid = ${topic}::int::oid
      and database = (select oid from pg_database where datname = current_database())`;
    return rows.map(({ value }) => value);
  }

  return {
    number,
    isAlive: async (other) => {
      if (other === number) return true;
      if (other === UNOWNED) return false;
      const [row] = await sql`select pg_try_advisory_xact_lock(${String(other)}::bigint) as free`;
      return row?.free !== true;
    },
    async announce(topic, value) {
      ownValues.set(topic, value);
      await lockValue(session.own, topic, value);
      return (await announcedValues(topic)).length;
    },
    announcedValues,
    close: session.close,
  };
}
