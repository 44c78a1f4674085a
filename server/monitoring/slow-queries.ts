/** SLOW_QUERY: logs slow statements without their values, which include emails, names and link keys. */
import type { BeginQuery } from '../database/driver/query-observer.ts';
import { current } from './current.ts';

type Parts = {
  /** Milliseconds, including the wait for a connection; Infinity turns it off. */
  from: number;
  log: { warn(details: object, message: string): void };
};

const maxText = 2_000;

export const plainText = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, maxText);

export function createSlowQueries({ from, log }: Parts): { begin: BeginQuery | undefined; count: () => number } {
  let count = 0;
  const begin: BeginQuery = (text) => {
    const began = performance.now();
    const reqId = current.getStore()?.id;
    return (error) => {
      const ms = performance.now() - began;
      if (ms < from) return;
      count += 1;
      const line = { query: plainText(text), ms: Math.round(ms), failed: error !== undefined };
      log.warn(reqId === undefined ? line : { ...line, reqId }, 'a slow query');
    };
  };
  return { begin: from === Number.POSITIVE_INFINITY ? undefined : begin, count: () => count };
}
