import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pLimit from 'p-limit';
import type { MailText } from './letter.ts';
import { failureOf, type Mailer } from './mailer.ts';

const longestQueue = 100;
const defaultCloseTimeout = 5_000;

export type Outbox = ReturnType<typeof createOutbox>;

type Options = {
  mailer: Mailer;
  origin: string;
  log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  /** Milliseconds that a stop waits for queued mails. */
  closeTimeout?: number;
};

/** Sends mails after the response: no call waits for the mail server or fails because of it. */
export function createOutbox({ mailer, origin, log, closeTimeout = defaultCloseTimeout }: Options) {
  const inTurn = pLimit(2);
  const promised = new Set<Promise<void>>();

  async function deliver(what: string, write: () => Promise<{ to: string; mail: MailText } | undefined>) {
    const letter = await write();
    if (!letter) return;
    try {
      await mailer.send(letter.to, letter.mail);
      log.info(`${what} was mailed`);
    } catch (error) {
      log.error(failureOf(error), `${what} could not be mailed`);
    }
  }

  return {
    origin,
    /** Whether the queue is full; then no further mail should be promised. */
    isFull: () => inTurn.pendingCount >= longestQueue,

    /** @param what for the log, without the address @param write returns undefined if no mail is to be sent */
    send(what: string, write: () => Promise<{ to: string; mail: MailText } | undefined>): void {
      const sending = inTurn(deliver, what, write)
        .catch((err) => log.error({ err }, `${what} could not be made`))
        .finally(() => promised.delete(sending));
      promised.add(sending);
    },

    /** Does not wait minutes for a silent mail server when the server stops. */
    async close(): Promise<void> {
      await Promise.race([Promise.all(promised), pause(closeTimeout, undefined, { ref: false })]);
      inTurn.clearQueue();
    },
  };
}
