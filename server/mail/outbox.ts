import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pLimit from 'p-limit';
import type { MailText } from './letter.ts';
import { failureOf, type Mailer } from './mailer.ts';

/** Mails that wait for the mail server. */
const longestQueue = 100;
const defaultPatience = 5_000;

export type Outbox = ReturnType<typeof createOutbox>;

type Options = {
  mailer: Mailer;
  /** Where the accounts are: PUBLIC_URL. */
  origin: string;
  log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  /** Milliseconds that a stop waits for the mails that were promised. */
  patience?: number;
};

/** Sends mails behind the answers: no call waits for a mail server, and none fails with it. */
export function createOutbox({ mailer, origin, log, patience = defaultPatience }: Options) {
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
    /** Whether so many mails wait that no further one should be promised. */
    isFull: () => inTurn.pendingCount >= longestQueue,

    /**
     * @param what the mail is, for the log, which never has the address
     * @param write what is to be done before, and the mail; undefined where none is to be sent
     */
    send(what: string, write: () => Promise<{ to: string; mail: MailText } | undefined>): void {
      const sending = inTurn(deliver, what, write)
        .catch((err) => log.error({ err }, `${what} could not be made`))
        .finally(() => promised.delete(sending));
      promised.add(sending);
    },

    /** A stop of the server does not wait minutes for a mail server that is silent. */
    async close(): Promise<void> {
      await Promise.race([Promise.all(promised), pause(patience, undefined, { ref: false })]);
      inTurn.clearQueue();
    },
  };
}
