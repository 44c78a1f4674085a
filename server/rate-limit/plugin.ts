/** Limits by address and by account, counted in the database, so that they hold across restarts and processes. */
import rateLimitPlugin, { type FastifyRateLimitStore, type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Database } from '../database/connect.ts';
import { TooManyRequests } from '../errors.ts';
import { addressKey } from './address.ts';
import { countAttempt } from './queries.ts';

/** @param ms until the next try */
export function tooManyRequests(ms: number): Error {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return Object.assign(new TooManyRequests(wait), { retryAfter: seconds });
}

/** `@fastify/rate-limit` makes one of these for itself and one, by `child`, for each route. */
function storeOver(db: Database) {
  return class DatabaseStore implements FastifyRateLimitStore {
    incr(
      key: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindow = 60_000,
    ) {
      countAttempt(db, key, timeWindow).then(
        ({ count, msLeft }) => done(null, { current: count, ttl: msLeft }),
        (error: Error) => done(error),
      );
    }
    child() {
      return new DatabaseStore();
    }
  };
}

/** A route's `config`: at most `max` calls of `name` in `windowMs` from one address. */
export function perAddress(name: string, max: number, windowMs: number): { rateLimit: RateLimitOptions } {
  return {
    rateLimit: {
      max,
      timeWindow: windowMs,
      keyGenerator: (request: FastifyRequest) => `${name}:${addressKey(request.ip)}`,
    },
  };
}

/** A route's `config`, behind the guard: at most `max` calls of `name` in `windowMs` by one account. */
export function perAccount(name: string, max: number, windowMs: number): { rateLimit: RateLimitOptions } {
  return {
    rateLimit: { max, timeWindow: windowMs, keyGenerator: ({ account }: FastifyRequest) => `${name}:${account.id}` },
  };
}

export const rateLimit = fp<{ enabled: boolean }>(
  async (app, { enabled }) => {
    await app.register(rateLimitPlugin, {
      global: false,
      store: storeOver(app.db),
      allowList: () => !enabled,
      errorResponseBuilder: (_request, { ttl }) => tooManyRequests(ttl),
      addHeaders: {
        'x-ratelimit-limit': false,
        'x-ratelimit-remaining': false,
        'x-ratelimit-reset': false,
        'retry-after': true,
      },
      addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    });
  },
  { name: 'rate-limit', dependencies: ['database'] },
);
