import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** Parses an ErrorResponse that a database sends instead of accepting the connection, as the driver throws it. */
function readRefusal(message: Buffer): Error | undefined {
  if (message.length < 5 || message[0] !== 0x45 || message.readUInt32BE(1) >= message.length) return undefined;
  const fields = message.toString('utf8', 5).split('\0');
  const field = (letter: string) => fields.find((each) => each.startsWith(letter))?.slice(1);
  const error = new Error(field('M'));
  return Object.assign(error, { name: 'PostgresError', code: field('C'), severity: field('V') ?? field('S') });
}

/**
 * A connecting socket for postgres.js, with three workarounds. Not for TLS, which bypasses the socket.
 *
 * 1. It closes when a write gets no response for `bound` ms, as with a frozen server.
 * 2. It reports a lost connection in two steps: "error" at once and "close" a turn later. The driver (3.4.9) rolls a
 *    failed transaction back on the same connection. After "close" there is no socket to write to, and its exception
 *    ends the process. (github.com/porsager/postgres, 1066, 1154 and 1208)
 * 3. It reports a refused connection itself. If the previous connection was lost during a query, the driver would
 *    keep the refusal and fail a later query with it.
 *
 * @param onLoss called with the time between the two steps, in which the driver must not write to this connection
 */
export function watchedSocket(
  place: { path: string } | { host: string; port: number },
  bound: number,
  onLoss: (told: Promise<void>) => void,
): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  const destroy = socket.destroy.bind(socket);
  const emit = socket.emit.bind(socket);
  let timer: NodeJS.Timeout | undefined;
  let isMade = false;
  let isNew = true;
  const answered = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const watchedWrite = (...words: Parameters<typeof write>) => {
    // Refused silently: the pending "close" rejects what was to be written.
    if (socket.destroyed) return false;
    if (Number.isFinite(bound)) timer ??= setTimeout(() => destroy(), bound);
    return write(...words);
  };
  const tellInSteps = (name: string | symbol, ...words: unknown[]): boolean => {
    const refusal = name === 'data' && isNew ? readRefusal(words[0] as Buffer) : undefined;
    if (name === 'data') isNew = false;
    if (refusal) {
      emit('error', refusal);
      destroy();
      return true;
    }
    if (name !== 'close' || !isMade) return emit(name, ...words);
    answered();
    emit('error', Object.assign(new Error('The connection to the database is lost'), { code: 'CONNECTION_CLOSED' }));
    // "close" reports the error to queries made in between, so it must not claim to have had one.
    onLoss(
      turn()
        .then(turn)
        .then(() => void emit('close', false)),
    );
    return true;
  };
  socket.emit = tellInSteps;
  socket.on('data', answered).on('close', answered);
  socket.once('connect', () => {
    isMade = true;
    socket.destroy = () => destroy();
  });
  socket.connect(place);
  // After connect(), which restores the prototype's write.
  socket.write = watchedWrite as typeof socket.write;
  return socket;
}
