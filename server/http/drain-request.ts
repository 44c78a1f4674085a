import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** Milliseconds. */
const patience = 60_000;

/**
 * Reads the rest of a body and drops it. A refusal that is answered while the client still sends is often never read,
 * because the connection is reset under it. Not for ever: a body without end is answered all the same.
 */
export async function drainRequest(raw: IncomingMessage): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const enough = AbortSignal.timeout(patience);
  await Promise.race([once(raw, 'end', { signal: enough }), once(raw, 'close')]).catch(() => undefined);
}
