import { setTimeout as wait } from 'node:timers/promises';
import { isTransient } from '../failures.ts';
import type { CallTimeouts } from './client.ts';

const maxAttempts = 3;

const noAnswer = (ms: number, cause: unknown) =>
  Object.assign(new Error(`no answer within ${ms / 1000} s`, { cause }), { code: 'ETIMEDOUT' });

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(timeouts: Pick<CallTimeouts, 'answer' | 'again'>) {
  /** @param bounded whether the response must begin in time */
  async function once<T>(bounded: boolean, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const timer = bounded ? setTimeout(() => late.abort(), timeouts.answer) : undefined;
    try {
      return await call(late.signal);
    } catch (error) {
      // The SDK only reports that the call was aborted.
      throw late.signal.aborted ? noAnswer(timeouts.answer, error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws the server's error if it is permanent or the attempts are used up */
  async function withAttempts<T>(bounded: boolean, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const began = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(bounded, call);
      } catch (error) {
        const over = attempt === maxAttempts || performance.now() - began > timeouts.again;
        if (over || !isTransient(error)) throw error;
        await wait(50 * 4 ** attempt * Math.random());
      }
    }
  }

  return { once, withAttempts };
}
