import type { Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds of an idle turn of the event loop. */
const quick = 0.2;

/** @returns its time in milliseconds */
const nextTurn = () => turn(undefined).then(() => performance.now());

/**
 * Accepts the connections in the kernel's queue. They are cut when a server stops listening, and a proxy answers 502.
 * A turn of the event loop accepts one (libuv 1.45): this waits for a short turn that accepts none.
 * @param max milliseconds
 */
export async function acceptWaiting(server: Server, max: number): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  // The current turn may do other work; the next one polls for connections first.
  const began = await nextTurn();
  for (let last = began; last - began < max; ) {
    const before = accepted;
    const now = await nextTurn();
    if (accepted === before && now - last <= quick) break;
    last = now;
  }
  server.off('connection', count);
}
