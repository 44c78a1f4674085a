/** Limits by address and by account, counted in the database to hold across restarts and processes. */
import rateLimitPlugin, { type FastifyRateLimitStore, type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/connect.ts';
import { TooManyRequests } from '../../errors.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import { addressesOfNetwork, addressKey, networkKey } from './address.ts';
import { type Count, countAttempt } from './rate-limit-queries.ts';

/** @param ms until the next attempt */
export function tooManyRequests(ms: number): Error {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return Object.assign(new TooManyRequests(wait), { retryAfter: seconds });
}

/** Keys beyond their limit that are kept in memory. */
const maxSpent = 10_000;

/** Counts one attempt of a key at a time, so that one key never uses all connections. Keys beyond their limit are answered from memory. */
export function createCounter(db: Database) {
  const inMutex = createKeyedMutex();
  const spent = new LRUCache<string, number>({ max: maxSpent });

  return async function count(key: string, windowMs: number, max: number): Promise<Count> {
    return inMutex(key, async () => {
      const beyond = spent.get(key);
      if (beyond !== undefined) return { count: beyond, msLeft: spent.getRemainingTTL(key) };
      const counted = await countAttempt(db, key, windowMs);
      if (counted.count > max) spent.set(key, counted.count, { ttl: Math.max(1, Math.ceil(counted.msLeft)) });
      return counted;
    });
  };
}

type Counter = ReturnType<typeof createCounter>;

/** Separates the key of an address from that of its network. */
const beside = '|';

/** The network does not count attempts beyond the address's limit; its count is divided by its multiple. @returns the higher */
async function countBoth(count: Counter, key: string, windowMs: number, max: number): Promise<Count> {
  const [address = '', network] = key.split(beside);
  const own = await count(address, windowMs, max);
  if (network === undefined || own.count > max) return own;
  const all = await count(network, windowMs, max * addressesOfNetwork);
  const each = Math.ceil(all.count / addressesOfNetwork);
  return each > own.count ? { count: each, msLeft: all.msLeft } : own;
}

/** `@fastify/rate-limit` creates one store for itself and, with `child`, one for each route. */
function storeOver(counter: Counter) {
  return class DatabaseStore implements FastifyRateLimitStore {
    incr(
      key: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindow = 60_000,
      max = Number.POSITIVE_INFINITY,
    ) {
      countBoth(counter, key, timeWindow, max).then(
        ({ count, msLeft }) => done(null, { current: count, ttl: msLeft }),
        (error: Error) => done(error),
      );
    }
    child() {
      return new DatabaseStore();
    }
  };
}

/** A route's `config`: at most `max` calls of `name` in `windowMs` from an address, and 16 times as many from an IPv6 /48. */
export function perAddress(name: string, max: number, windowMs: number): { rateLimit: RateLimitOptions } {
  return {
    rateLimit: {
      max,
      timeWindow: windowMs,
      keyGenerator: ({ ip }: FastifyRequest) => {
        const network = networkKey(ip);
        return `${name}:${addressKey(ip)}${network === undefined ? '' : `${beside}${name}:${network}`}`;
      },
    },
  };
}

/** A route's `config` after authentication: at most `max` calls of `name` in `windowMs` by an account. */
export function perAccount(name: string, max: number, windowMs: number): { rateLimit: RateLimitOptions } {
  return {
    rateLimit: { max, timeWindow: windowMs, keyGenerator: ({ account }: FastifyRequest) => `${name}:${account.id}` },
  };
}

export const rateLimit = fp<{ enabled: boolean }>(
  async (app, { enabled }) => {
    await app.register(rateLimitPlugin, {
      global: false,
      store: storeOver(createCounter(app.db)),
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
