import { Socket } from 'node:net';

/**
 * A socket, still connecting, for postgres.js, which it keeps from waiting for ever in two ways. Not for TLS, which
 * reads past the socket.
 *
 * It closes when what was written stays without any answer for `bound` ms, as with a frozen server, whose connections
 * stay open. And once connected it closes without an error: between a socket's "error" and its "close" the driver
 * (3.4.9) still gives it queries, and never settles those after an error.
 */
export function watchedSocket(place: { path: string } | { host: string; port: number }, bound: number): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  const destroy = socket.destroy.bind(socket);
  let timer: NodeJS.Timeout | undefined;
  const answered = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const watchedWrite = (...words: Parameters<typeof write>) => {
    timer ??= setTimeout(() => destroy(), bound);
    return write(...words);
  };
  socket.on('data', answered).on('close', answered);
  socket.once('connect', () => {
    socket.destroy = () => destroy();
  });
  socket.connect(place);
  // Not before: connect() puts the prototype's own write back.
  socket.write = watchedWrite as typeof socket.write;
  return socket;
}
