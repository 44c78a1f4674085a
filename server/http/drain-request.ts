import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** Milliseconds. */
const timeLimit = 60_000;

/** Drops the rest of a body: an answer while the client still sends often resets the connection and is never read. */
export async function drainRequest(raw: IncomingMessage): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const timeout = AbortSignal.timeout(timeLimit);
  await Promise.race([once(raw, 'end', { signal: timeout }), once(raw, 'close')]).catch(() => undefined);
}
