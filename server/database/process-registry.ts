/**
 * Which processes live, known by the database: each holds an advisory lock on a random number, on a connection of its
 * own, from its start to its end. However it ends, the lock ends with it; no clock and no process id is asked.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Address } from './address.ts';
import { openClient } from './client.ts';
import type { Log } from './log.ts';

export type ProcessRegistry = {
  /** This process, for as long as it lives. From 2^62, so that it never meets another lock of the program. */
  readonly number: bigint;
  /** Whether the process with this number lives. Throws where the database cannot be asked. */
  isAlive(number: bigint): Promise<boolean>;
  /**
   * Says to the others, for as long as this process lives, what it has set for something that all must have set alike.
   * @param topic any number that stands for it, 0 to 2^31-1 @param value what it is here, as a number in the same bounds
   * @returns how many different values living processes have, this one's included
   */
  agree(topic: number, value: number): Promise<number>;
  /** What living processes have said of the topic: different values. */
  said(topic: number): Promise<number[]>;
  close(): Promise<void>;
};

/** What no living process has: work that is written down under it is anybody's. */
export const UNOWNED = 0n;

const randomNumber = () => (randomBytes(8).readBigUInt64BE() >> 2n) | (1n << 62n);

/** Milliseconds between two tries to take the lock again. */
const longestPause = 1000;

/** @param options.sql asks whether others live; the lock itself has a connection of its own */
export async function joinProcesses(
  address: Address,
  { sql, log }: { sql: postgres.Sql; log: Log },
): Promise<ProcessRegistry> {
  const number = randomNumber();
  const closing = new AbortController();
  let lost = () => {};
  const own = openClient(address, {
    max: 1,
    max_lifetime: null,
    onclose: () => lost(),
    connection: {
      ...address.parameters,
      application_name: 'gallery presence',
      // It has nothing to say for as long as it lives; a machine that vanished is noticed within two minutes.
      idle_session_timeout: 0,
      tcp_keepalives_idle: '60',
      tcp_keepalives_interval: '15',
      tcp_keepalives_count: '4',
    },
  });

  const told = new Map<number, number>();
  /** Locks of two numbers never meet those of one; shared, they never wait. */
  const tell = (topic: number, value: number) => own`select pg_advisory_lock_shared(${topic}::int, ${value}::int)`;

  /** @returns a promise that ends when the lock is lost */
  async function take(): Promise<{ gone: Promise<void> }> {
    const gone = new Promise<void>((resolve) => {
      lost = resolve;
    });
    await own`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`;
    await own`select pg_advisory_lock(${String(number)}::bigint)`;
    for (const [topic, value] of told) await tell(topic, value);
    return { gone };
  }

  async function hold(first: { gone: Promise<void> }): Promise<void> {
    let held: { gone: Promise<void> } | undefined = first;
    for (let pause = 50; !closing.signal.aborted; ) {
      await held?.gone;
      if (closing.signal.aborted) return;
      if (held) log.error({}, 'the database no longer knows that this process lives; telling it again');
      held = await take().catch(() => undefined);
      if (held) {
        log.info('the database knows again that this process lives');
        pause = 50;
      } else {
        await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined);
        pause = Math.min(pause * 2, longestPause);
      }
    }
  }

  async function said(topic: number): Promise<number[]> {
    const rows = await sql`select distinct objid::bigint::int as value from pg_locks
      where locktype = 'advisory' and granted and objsubid = 2 and classid = ${topic}::int::oid
      and database = (select oid from pg_database where datname = current_database())`;
    return rows.map(({ value }) => value);
  }

  const first = await take().catch(async (error) => {
    await own.end({ timeout: 1 });
    throw error;
  });
  const holding = hold(first);

  return {
    number,
    isAlive: async (other) => {
      if (other === number) return true;
      if (other === UNOWNED) return false;
      const [row] = await sql`select pg_try_advisory_xact_lock(${String(other)}::bigint) as free`;
      return row?.free !== true;
    },
    async agree(topic, value) {
      told.set(topic, value);
      await tell(topic, value);
      return (await said(topic)).length;
    },
    said,
    close: async () => {
      closing.abort();
      await own.end({ timeout: 1 });
      lost();
      await holding;
    },
  };
}
