/** Which failed calls are repeated, and when. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Call, type Connection, exchange, Lost } from './http.ts';
import { refusalOf, Unreachable } from './refusal.ts';

/** Tries in a row without success: about two minutes, enough for a restart of the server. */
const mostTries = 14;

/** Milliseconds: exponential, at most 15 s. */
const usualPause = (tries: number) => Math.min(15_000, 250 * 2 ** tries);

/** Seconds. The server asks for an hour at most. */
const longestWait = 3600;

/** Milliseconds that a `Retry-After` header requests; undefined if it has no valid value. @param now epoch milliseconds */
export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** A full server or account, a restart, and a proxy without a server behind it. */
const isPassing = (status: number) => [429, 502, 503, 504].includes(status);

export type Failure = Lost | Answer;

const isLost = (failure: Failure): failure is Lost => failure instanceof Lost;

/** Counts the tries of one call or of one upload. */
export function createPatience({ address, onWait }: Connection) {
  let tries = 0;
  return {
    /** Progress was made: counting starts again. */
    reset(): void {
      tries = 0;
    },
    /** Waits before the next try. @throws Unreachable or Refused if another try would not help */
    async waitAfter(failure: Failure): Promise<void> {
      const asked = isLost(failure) ? undefined : retryAfter(failure.headers['retry-after']);
      if (tries >= mostTries || (asked ?? 0) > longestWait * 1000) {
        throw isLost(failure) ? new Unreachable(address, failure) : refusalOf(failure);
      }
      const pause = asked === undefined ? usualPause(tries) : asked * (1 + Math.random() / 10);
      tries += 1;
      const reason = isLost(failure) ? 'no connection' : 'the server is busy';
      onWait?.(`${reason}, trying again in ${Math.max(1, Math.ceil(pause / 1000))} s`);
      await sleep(pause);
    },
  };
}

export type Patience = ReturnType<typeof createPatience>;

/** Whether waiting may help. */
export const mayPass = (failure: Failure): boolean => isLost(failure) || isPassing(failure.status);

/** One exchange, whose lost connection is a value. */
export const attempt = (connection: Connection, call: Call): Promise<Failure> =>
  exchange(connection, call).catch((error: unknown) => {
    if (error instanceof Lost) return error;
    throw error;
  });

/**
 * Repeats a call until it gets an answer other than "later". Only for calls that may run twice.
 * @throws Unreachable; Refused; errors of reading the body
 */
export async function call(connection: Connection, wanted: Call): Promise<Answer> {
  const patience = createPatience(connection);
  for (;;) {
    const outcome = await attempt(connection, wanted);
    if (mayPass(outcome)) await patience.waitAfter(outcome);
    else if (isLost(outcome)) throw outcome;
    else if (outcome.status >= 300) throw refusalOf(outcome);
    else return outcome;
  }
}
