/** Guesses of the names of links: of shares (`/s/`) and of stable links (`/l/`). They count together. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressesOfNetwork, addressKey, networkKey } from './address.ts';
import { perAddress, tooManyRequests } from './rate-limit.ts';
import { readAttempts } from './rate-limit-queries.ts';

const most = 240;

/** Of pages of shares, and of failed look-ups of names: more than people open, and too few to guess many names. */
export const opening = perAddress('share', most, 60_000);

export function createGuesses(app: FastifyInstance) {
  const count = app.createRateLimit(opening.rateLimit);

  async function assertBelow(key: string | undefined, limit: number): Promise<void> {
    if (key === undefined) return;
    const attempts = await readAttempts(app.db, `share:${key}`);
    if (attempts.count > limit) throw tooManyRequests(attempts.msLeft);
  }

  return {
    /** Beyond the limit, a name that exists is refused too: otherwise its answer would show it. @throws TooManyRequests */
    async assertLeft({ ip }: FastifyRequest): Promise<void> {
      await Promise.all([assertBelow(addressKey(ip), most), assertBelow(networkKey(ip), most * addressesOfNetwork)]);
    },

    /** Call after a wrong guess. @throws TooManyRequests */
    async countWrong(request: FastifyRequest): Promise<void> {
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded) throw tooManyRequests(counted.ttl);
    },
  };
}
