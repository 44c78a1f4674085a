import type { FastifyInstance } from 'fastify';

/** What an app logs from now on. */
export function linesOf({ log }: FastifyInstance): string[] {
  const lines: string[] = [];
  const stream = Object.getOwnPropertySymbols(log).find(({ description }) => description === 'pino.stream');
  const { [stream ?? '']: sink } = log as unknown as Record<string | symbol, object>;
  Object.assign(sink ?? {}, { write: (line: string) => void lines.push(line) });
  return lines;
}
