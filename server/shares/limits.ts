import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NotFound, ShareEnded } from '../errors.ts';
import { perAddress, tooManyRequests } from '../http/limits/rate-limit.ts';
import { addressOf } from './addresses.ts';

/** Of pages, and of failed look-ups by short name: more than people open, and too few to guess many names. */
export const opening = perAddress('share', 240, 60_000);

/** Of the checks of passwords, which are slow, as of logins. */
export const unlocking = perAddress('share-password', 60, 60_000);

/** Of archives: each reads up to 500 pictures. */
export const archiving = perAddress('share-archive', 20, 60_000);

export const KeyParams = Type.Object({ key: Type.String() });

/** A page shows many pictures, so only failed look-ups by short name count as an opening: no share, an ended one, or a wrong code. */
export function createLookUps(app: FastifyInstance) {
  const count = app.createRateLimit(opening.rateLimit);

  /** @throws TooManyRequests instead of what `find` throws, beyond the limit */
  return async <T>(request: FastifyRequest, text: string, find: () => Promise<T>): Promise<T> => {
    try {
      return await find();
    } catch (error) {
      const isGuess = error instanceof NotFound || error instanceof ShareEnded;
      if (!isGuess || addressOf(text)?.isKey !== false) throw error;
      const counted = await count(request);
      throw !counted.isAllowed && counted.isExceeded ? tooManyRequests(counted.ttl) : error;
    }
  };
}
