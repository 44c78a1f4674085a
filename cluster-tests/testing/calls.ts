import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../trust-tests/testing/call.ts';
import { isAway } from './away.ts';
import type { ClientParts } from './client-parts.ts';
import type { CallKind } from './figures.ts';

const pause = 200;

/** An answer, in the words of a finding. */
export const describe = ({ status, body }: Answer) => `${status} ${body.slice(0, 300)}`;

export type Calls = ReturnType<typeof createCalls>;

/** Calls through the proxy, counted by the fault during which they began. */
export function createCalls(parts: ClientParts) {
  /** @returns undefined if the call failed */
  async function attempt(kind: CallKind, once: () => Promise<Answer>): Promise<Answer | undefined> {
    const during = parts.fault();
    const answer = await once().catch((error: NodeJS.ErrnoException) => {
      // An error without a code comes from parsing an answer, not from the connection.
      if (error.code === undefined) throw error;
      return error;
    });
    const isAnswered = 'status' in answer && !isAway(answer.status);
    parts.count(kind, isAnswered, during);
    if (isAnswered) return answer;
    parts.onFailed(kind, during, 'status' in answer ? describe(answer) : answer.message);
    return undefined;
  }

  /** Repeats a call until it is answered, as the page does. */
  async function persistently(kind: CallKind, once: () => Promise<Answer>) {
    for (let attempts = 1; ; attempts += 1) {
      const answer = await attempt(kind, once);
      if (answer) return { answer, attempts };
      await sleep(pause);
    }
  }

  return { attempt, persistently };
}
