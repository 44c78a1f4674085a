import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Address } from './address.ts';
import { openClient } from './client.ts';

type Options = {
  /** The application_name of the connection. */
  name: string;
  /** Prepares each new session. */
  prepare: (own: postgres.Sql) => Promise<void>;
  /** Called when a connection closes, whether or not its session was prepared. */
  onClose?: () => void;
  /** Called when a prepared session is lost, unless this side closes it. */
  onLost: () => void;
  onRestored?: () => void;
  onNotification?: (channel: string, payload: string) => void;
};

/** Milliseconds between two attempts to connect. */
const minPause = 50;
const maxPause = 1_000;

/** The connection is idle for as long as it exists; keep-alives detect a vanished machine within two minutes. */
const sessionSettings = {
  idle_session_timeout: 0,
  tcp_keepalives_idle: '60',
  tcp_keepalives_interval: '15',
  tcp_keepalives_count: '4',
};

/** A session on a separate connection that lasts as long as the process: it is opened again whenever it is lost. */
export function openReconnectingSession(address: Address, options: Options) {
  const { name, prepare, onClose, onLost, onRestored, onNotification } = options;
  const closing = new AbortController();
  let endSession = () => {};
  const own = openClient(address, {
    max: 1,
    max_lifetime: null,
    onclose: () => {
      onClose?.();
      endSession();
    },
    // The driver's own `listen` uses it too, but reports no loss.
    ...(onNotification && { onnotify: onNotification }),
    connection: { ...address.parameters, application_name: name, ...sessionSettings },
  });

  async function open(): Promise<{ ended: Promise<void> }> {
    const ended = new Promise<void>((resolve) => {
      endSession = resolve;
    });
    await prepare(own);
    return { ended };
  }

  async function keepOpen(first: ReturnType<typeof open>): Promise<void> {
    let session = await first.catch(() => undefined);
    let wasLost = false;
    for (let pause = minPause; !closing.signal.aborted; ) {
      if (session) {
        pause = minPause;
        if (wasLost) onRestored?.();
        await session.ended;
        if (closing.signal.aborted) return;
        wasLost = true;
        onLost();
      } else {
        await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined);
        pause = Math.min(pause * 2, maxPause);
      }
      if (!closing.signal.aborted) session = await open().catch(() => undefined);
    }
  }

  const first = open();
  const reopening = keepOpen(first);
  const opened = first.then(() => undefined);
  opened.catch(() => undefined);

  return {
    /** The connection, for further statements in the session. */
    own,
    /** Settles with the first attempt. */
    opened,
    async close(): Promise<void> {
      closing.abort();
      await own.end({ timeout: 1 });
      endSession();
      await reopening;
    },
  };
}
