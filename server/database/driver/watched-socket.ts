import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** What a database answers instead of taking the connection (ErrorResponse), as the driver throws it. */
function readRefusal(message: Buffer): Error | undefined {
  if (message.length < 5 || message[0] !== 0x45 || message.readUInt32BE(1) >= message.length) return undefined;
  const fields = message.toString('utf8', 5).split('\0');
  const field = (letter: string) => fields.find((each) => each.startsWith(letter))?.slice(1);
  const error = new Error(field('M'));
  return Object.assign(error, { name: 'PostgresError', code: field('C'), severity: field('V') ?? field('S') });
}

/**
 * A socket, still connecting, for postgres.js, which it keeps from three harms. Not for TLS, which reads past the socket.
 *
 * It closes when what was written stays without any answer for `bound` ms, as with a frozen server, whose connections
 * stay open.
 *
 * And a connection that is lost is told in two steps, "error" at once and "close" a turn of the loop later. The driver
 * (3.4.9) rolls a failed transaction back on the same connection; once told of the close it has no socket to write
 * that to, and its exception ends the process. (github.com/porsager/postgres, 1066, 1154 and 1208)
 *
 * And a database that refuses a connection, as one that is starting up does, is taken at its word here. The driver would
 * keep that for the next connection, if the one before was lost in the midst of a query: a query would fail by it later.
 *
 * @param onLoss told of the time in between the two steps, in which the driver may not write to this connection
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
    // Refused without a word: the "close" that is under way settles what was to be written.
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
    // The error is told again by "close", to what was asked in between; so it must not seem to have had one.
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
  // Not before: connect() puts the prototype's own write back.
  socket.write = watchedWrite as typeof socket.write;
  return socket;
}
