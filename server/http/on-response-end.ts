/**
 * The end of an answer. Node gives an answer that is queued behind another on its connection no socket yet: where the
 * connection is lost meanwhile, such an answer neither closes nor takes its bytes, and nothing but the socket tells.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const waiting = new WeakMap<Socket, Set<() => void>>();

/** With one listener, however many requests are sent at once. */
function waitingFor(socket: Socket): Set<() => void> {
  const present = waiting.get(socket);
  if (present) return present;
  const calls = new Set<() => void>();
  socket.once('close', () => {
    for (const call of calls) call();
  });
  waiting.set(socket, calls);
  return calls;
}

/** Calls back once: when the answer was handed over, or when the client has gone; at once where that has happened. */
export function onResponseEnd(response: ServerResponse, callback: () => void): void {
  const { socket } = response.req;
  if (response.closed || socket.destroyed) {
    callback();
    return;
  }
  const calls = waitingFor(socket);
  const over = () => {
    response.off('close', over);
    calls.delete(over);
    callback();
  };
  calls.add(over);
  response.once('close', over);
}
