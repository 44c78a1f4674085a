/**
 * Notifications from other processes (NOTIFY) on a separate connection. A heartbeat sent on another connection must
 * return. Postgres delivers notifications in commit order, so a returned heartbeat proves that everything committed
 * before it has arrived. If heartbeats never return, as behind a transaction pooler, the subscription is never live.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Address } from './address.ts';
import { openClient } from './client.ts';
import type { Log } from './log.ts';

export type Notifications = {
  /** Whether everything committed up to `lease` ago has arrived. */
  isLive(): boolean;
  close(): Promise<void>;
};

export type NotificationParts = {
  channel: string;
  onNotice: (payload: string) => void;
  /** Called if notifications may have been missed, or may be from now on. */
  onGap: () => void;
};

/** `sql` sends the heartbeats; it must not be the listening connection. */
type Parts = NotificationParts & { sql: postgres.Sql; log: Log };

/** Milliseconds. */
const lease = 1_000;
const betweenBeats = 350;
/** How long heartbeats continue after the last call of isLive(). */
const lingering = 60_000;
const longestPause = 1_000;

export function subscribeTo(address: Address, { channel, sql, log, onNotice, onGap }: Parts): Notifications {
  const closing = new AbortController();
  const self = `beat ${crypto.randomUUID()}`;
  let lost = () => {};
  let isListening = false;
  let count = 0;
  let beat: { text: string; told: number } | undefined;
  let heardUntil = Number.NEGATIVE_INFINITY;
  let asked = Number.NEGATIVE_INFINITY;

  function hear(_channel: string, payload: string): void {
    if (payload === beat?.text) {
      heardUntil = beat.told;
      beat = undefined;
    } else if (!payload.startsWith('beat ')) onNotice(payload);
  }

  function forgetAll(): void {
    isListening = false;
    beat = undefined;
    heardUntil = Number.NEGATIVE_INFINITY;
    onGap();
  }

  const own = openClient(address, {
    max: 1,
    max_lifetime: null,
    onclose: () => {
      forgetAll();
      lost();
    },
    // The driver's own `listen` uses it too, but reports no loss.
    ...{ onnotify: hear },
    connection: {
      ...address.parameters,
      application_name: 'gallery notices',
      idle_session_timeout: 0,
      tcp_keepalives_idle: '60',
      tcp_keepalives_interval: '15',
      tcp_keepalives_count: '4',
    },
  });

  function sendHeartbeat(): void {
    const now = performance.now();
    // A late heartbeat is followed by another: it may have been sent into a dying connection.
    if (!isListening || closing.signal.aborted || (beat && now - beat.told < lease)) return;
    count += 1;
    beat = { text: `${self} ${count}`, told: now };
    sql`select pg_notify(${channel}, ${beat.text})`.catch(() => undefined);
  }

  async function listen(): Promise<{ gone: Promise<void> }> {
    const gone = new Promise<void>((resolve) => {
      lost = resolve;
    });
    await own.unsafe(`listen ${channel}`);
    // Changes before this moment may have been missed.
    onGap();
    isListening = true;
    sendHeartbeat();
    return { gone };
  }

  async function hold(): Promise<void> {
    for (let pause = 50; !closing.signal.aborted; ) {
      const held = await listen().catch(() => undefined);
      if (held) {
        pause = 50;
        await held.gone;
        if (!closing.signal.aborted)
          log.error({}, 'lost the notification connection; links are looked up in the database meanwhile');
      } else {
        await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined);
        pause = Math.min(pause * 2, longestPause);
      }
    }
  }

  const holding = hold();
  const timer = setInterval(() => {
    if (performance.now() - asked < lingering) sendHeartbeat();
  }, betweenBeats).unref();

  return {
    isLive() {
      asked = performance.now();
      if (asked - heardUntil < lease) return true;
      sendHeartbeat();
      return false;
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      await own.end({ timeout: 1 });
      lost();
      await holding;
    },
  };
}
