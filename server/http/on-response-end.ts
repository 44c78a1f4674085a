/** A response queued behind another has no socket yet. If the connection is lost, only the socket emits an event. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const waiting = new WeakMap<Socket, Set<() => void>>();

/** Callbacks for the close of a socket, with one listener for all. */
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

/** Calls back once, when the response is sent or the client has disconnected; immediately if either has already happened. */
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
