import { Socket } from 'node:net';

/**
 * A socket, still connecting, for postgres.js, which it keeps from two harms. Not for TLS, which reads past the socket.
 *
 * It closes when what was written stays without any answer for `bound` ms, as with a frozen server, whose connections
 * stay open.
 *
 * And a connection that is lost is told in two steps, "error" at once and "close" a turn of the loop later. The driver
 * (3.4.9) rolls a failed transaction back on the same connection; once told of the close it has no socket to write
 * that to, and its exception ends the process. (github.com/porsager/postgres, 1066, 1154 and 1208)
 */
export function watchedSocket(place: { path: string } | { host: string; port: number }, bound: number): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  const destroy = socket.destroy.bind(socket);
  const emit = socket.emit.bind(socket);
  let timer: NodeJS.Timeout | undefined;
  const answered = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const watchedWrite = (...words: Parameters<typeof write>) => {
    // Refused without a word: the "close" that is under way settles what was to be written.
    if (socket.destroyed) return false;
    if (Number.isFinite(bound)) timer ??= setTimeout(() => destroy(), bound);
    return write(...words);
  };
  const tellInSteps = (name: string | symbol, ...words: unknown[]): boolean => {
    if (name !== 'close') return emit(name, ...words);
    answered();
    emit('error', Object.assign(new Error('The connection to the database is lost'), { code: 'CONNECTION_CLOSED' }));
    // The error is told again by "close", to what was asked in between; so it must not seem to have had one.
    setImmediate(() => setImmediate(() => emit('close', false)));
    return true;
  };
  socket.on('data', answered).on('close', answered);
  socket.once('connect', () => {
    socket.destroy = () => destroy();
    socket.emit = tellInSteps;
  });
  socket.connect(place);
  // Not before: connect() puts the prototype's own write back.
  socket.write = watchedWrite as typeof socket.write;
  return socket;
}
