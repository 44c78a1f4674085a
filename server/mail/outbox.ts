import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pLimit from 'p-limit';
import { createKeyedLimit } from '../lib/keyed-mutex.ts';
import type { MailText } from './letter.ts';
import { failureOf, type Mailer } from './mailer.ts';

const longestQueue = 100;
/** Mails that one client without a login requested, among them. */
const mostOfClient = longestQueue / 4;
const defaultCloseTimeout = 5_000;

export type Outbox = ReturnType<typeof createOutbox>;

export type OutboxLog = Pick<FastifyBaseLogger, 'info' | 'error'>;

type Options = {
  mailer: Mailer;
  origin: string;
  log: OutboxLog;
  /** Milliseconds that a stop waits for queued mails. */
  closeTimeout?: number;
};

/** Sends mails after the response: no call waits for the mail server or fails because of it. */
export function createOutbox({ mailer, origin, log, closeTimeout = defaultCloseTimeout }: Options) {
  const inTurn = pLimit(2);
  const ofClient = createKeyedLimit(mostOfClient);
  /** Apart, so that a slow mail server delays no decision whether a mail is due. One by one, which keeps their order. */
  const writing = pLimit(1);
  const promised = new Set<Promise<void>>();

  async function deliver(what: string, write: () => Promise<{ to: string; mail: MailText } | undefined>) {
    const letter = await writing(write);
    if (!letter) return;
    try {
      await inTurn(() => mailer.send(letter.to, letter.mail));
      log.info(`${what} was mailed`);
    } catch (error) {
      log.error(failureOf(error), `${what} could not be mailed`);
    }
  }

  return {
    origin,
    /** Whether the queue, or the client's part of it, is full; then no further mail should be promised. */
    isFull: (client?: string) =>
      inTurn.pendingCount + writing.pendingCount >= longestQueue ||
      (client !== undefined && ofClient.inside(client) >= mostOfClient),

    /**
     * @param what for the log, without the address
     * @param write returns undefined if no mail is to be sent
     * @param client the address of a caller without a login; accounts have limits for each hour
     */
    send(what: string, write: () => Promise<{ to: string; mail: MailText } | undefined>, client?: string): void {
      const send = () => deliver(what, write);
      const sending = (client === undefined ? send() : ofClient(client, send))
        .catch((err) => log.error({ err }, `${what} could not be made`))
        .finally(() => promised.delete(sending));
      promised.add(sending);
    },

    /** Does not wait minutes for a silent mail server when the server stops. */
    async close(): Promise<void> {
      await Promise.race([Promise.all(promised), pause(closeTimeout, undefined, { ref: false })]);
      for (const queue of [writing, inTurn]) queue.clearQueue();
    },
  };
}
