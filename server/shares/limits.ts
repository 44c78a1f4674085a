import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NotFound, ShareEnded } from '../errors.ts';
import { createGuesses } from '../http/limits/guesses.ts';
import { perAddress } from '../http/limits/rate-limit.ts';
import { addressOf } from './addresses.ts';

/** Of the checks of passwords, which are slow, as of logins. */
export const unlocking = perAddress('share-password', 60, 60_000);

/** Of archives: each reads up to 500 pictures. */
export const archiving = perAddress('share-archive', 20, 60_000);

export const KeyParams = Type.Object({ key: Type.String() });

/** A page shows many pictures, so only failed look-ups by short name count as an opening: no share, an ended one, or a wrong code. */
export function createLookUps(app: FastifyInstance) {
  const guesses = createGuesses(app);

  /** @throws TooManyRequests instead of what `find` throws, beyond the limit */
  return async <T>(request: FastifyRequest, text: string, find: () => Promise<T>): Promise<T> => {
    try {
      return await find();
    } catch (error) {
      const isGuess = error instanceof NotFound || error instanceof ShareEnded;
      if (!isGuess || addressOf(text)?.isKey !== false) throw error;
      await guesses.countWrong(request);
      throw error;
    }
  };
}
