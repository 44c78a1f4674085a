/** The share of the machine that one process may use, if several run (WORKERS). */
import { availableParallelism } from 'node:os';
import type { Config } from './config.ts';

export type Share = ReturnType<typeof shareOf>;

/** Database connections of all workers together: twice those of a single process. */
const pools = 20;
const largestPool = 10;
/** Enough for a transaction and concurrent lists. */
const smallestPool = 4;

/** Of the connections of one process, those for lists and searches (database/open.ts); the others wait for no list. */
const listsOf = (pool: number) => Math.max(2, Math.floor(pool * 0.4));

const part = (whole: number, workers: number, least = 1) => Math.max(least, Math.ceil(whole / workers));

/**
 * @returns MAX_CONNECTIONS and CACHE_SIZE of one process; `poolSize` connections to the database, of which `listConnections`
 * are for lists; `decoders`, pictures that it decodes at once; `of`, its part of any other bound
 */
export function shareOf({ workers, maxConnections, cacheSize }: Config) {
  const poolSize = Math.min(largestPool, part(pools, workers, smallestPool));
  return {
    maxConnections: part(maxConnections, workers),
    cacheSize: Math.floor(cacheSize / workers),
    poolSize,
    listConnections: listsOf(poolSize),
    decoders: part(availableParallelism(), workers),
    of: (whole: number, least = 1) => part(whole, workers, least),
  };
}
