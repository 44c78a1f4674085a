/**
 * Notifications from other processes (NOTIFY) on a separate connection. A heartbeat sent on another connection must
 * return. Postgres delivers notifications in commit order, so a returned heartbeat proves that everything committed
 * before it has arrived. If heartbeats never return, as behind a transaction pooler, the subscription is never live.
 */
import type postgres from 'postgres';
import type { Address } from './address.ts';
import type { Log } from './log.ts';
import { openReconnectingSession } from './reconnecting-session.ts';

export type Notifications = {
  /** Whether everything committed up to `lease` ago has arrived. */
  isLive(): boolean;
  close(): Promise<void>;
};

export type NotificationParts = {
  channel: string;
  onNotification: (payload: string) => void;
  /** Called if notifications may have been missed, or may be from now on. */
  onGap: () => void;
};

/** `sql` sends the heartbeats; it must not be the listening connection. */
type Parts = NotificationParts & { sql: postgres.Sql; log: Log };

/** Milliseconds. */
const lease = 1_000;
const betweenHeartbeats = 350;
/** How long heartbeats continue after the last call of isLive(). */
const lingering = 60_000;

const prefix = 'beat ';

/** Heartbeats of this process: one at a time, unless one is late. */
function createHeartbeat(notify: (payload: string) => Promise<unknown>) {
  const self = `${prefix}${crypto.randomUUID()}`;
  let count = 0;
  let pending: { payload: string; sentAt: number } | undefined;
  /** When the latest returned heartbeat was sent. */
  let provenAt = Number.NEGATIVE_INFINITY;

  return {
    isFresh: (): boolean => performance.now() - provenAt < lease,

    send(): void {
      const now = performance.now();
      // A late heartbeat is followed by another: it may have been sent into a dying connection.
      if (pending && now - pending.sentAt < lease) return;
      count += 1;
      pending = { payload: `${self} ${count}`, sentAt: now };
      notify(pending.payload).catch(() => undefined);
    },

    /** @returns whether the payload is a heartbeat, of this or another process */
    receive(payload: string): boolean {
      if (payload === pending?.payload) {
        provenAt = pending.sentAt;
        pending = undefined;
        return true;
      }
      return payload.startsWith(prefix);
    },

    reset(): void {
      pending = undefined;
      provenAt = Number.NEGATIVE_INFINITY;
    },
  };
}

export function subscribeTo(address: Address, { channel, sql, log, onNotification, onGap }: Parts): Notifications {
  const heartbeat = createHeartbeat((payload) => sql`select pg_notify(${channel}, ${payload})`);
  let isListening = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  const session = openReconnectingSession(address, {
    name: 'gallery notifications',
    onNotification(_channel, payload) {
      if (!heartbeat.receive(payload)) onNotification(payload);
    },
    async prepare(own) {
      await own.unsafe(`listen ${channel}`);
      // Changes before this moment may have been missed.
      onGap();
      isListening = true;
      heartbeat.send();
    },
    onClose() {
      isListening = false;
      heartbeat.reset();
      onGap();
    },
    onLost: () => log.error({ channel }, 'lost the notification connection; the cache is off until it returns'),
  });

  const timer = setInterval(() => {
    if (isListening && performance.now() - askedAt < lingering) heartbeat.send();
  }, betweenHeartbeats).unref();

  return {
    isLive() {
      askedAt = performance.now();
      if (heartbeat.isFresh()) return true;
      if (isListening) heartbeat.send();
      return false;
    },
    async close() {
      isListening = false;
      clearInterval(timer);
      await session.close();
    },
  };
}
