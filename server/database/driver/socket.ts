import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Address } from '../address.ts';
import type { LossGate } from './connection-loss.ts';
import { connectTls, type TlsMode } from './tls.ts';

const ERROR_END = Buffer.from([0, 0]);
/** Bytes between the start of an ErrorResponse and its severity, which may come after a localized one. */
const MAX_SEVERITY = 100;

/**
 * Finds an ErrorResponse that ends the data and the session. Rows cannot look like one: their texts contain no zeros.
 * @returns the error as the driver throws it, and where its message starts
 */
function findFatalError(data: Buffer): { error: Error; start: number } | undefined {
  if (!data.subarray(-2).equals(ERROR_END)) return undefined;
  const severityAt = data.lastIndexOf('FATAL\0');
  for (let start = severityAt - 1; start >= Math.max(0, severityAt - MAX_SEVERITY); start -= 1) {
    if (data[start] !== 0x45 || data.readUInt32BE(start + 1) !== data.length - start - 1) continue;
    const fields = data.toString('utf8', start + 5).split('\0');
    const field = (letter: string) => fields.find((each) => each.startsWith(letter))?.slice(1);
    const severity = field('V') ?? field('S');
    const error = new Error(field('M'));
    return { error: Object.assign(error, { name: 'PostgresError', code: field('C'), severity }), start };
  }
  return undefined;
}

type AdaptOptions = {
  /** The event that shows that the connection is made; undefined if it is made already. */
  readyEvent?: 'connect' | 'secureConnect' | undefined;
  /** Milliseconds that a write may wait for any response. */
  responseTimeout: number;
  /** Called with a promise that resolves when the loss has been reported. */
  onLoss: (reported: Promise<unknown>) => void;
};

/**
 * Makes a connecting socket report a connection loss so that the driver (3.4.9) survives it. The numbers are issues and
 * pull requests of github.com/porsager/postgres.
 *
 * 1. It closes when a write gets no response for `responseTimeout` ms, as with a frozen server. The driver would wait
 *    forever. (1089)
 * 2. It reports a loss in two steps: "error" at once, and "close" two turns later. What the driver has begun to write is
 *    then written before "close". Otherwise the driver would never write to this connection again (1209), and a "close"
 *    without "error" during startup would make it reconnect forever (1193).
 * 3. It reports a fatal error of the server itself, with the loss that follows. The driver would keep the error and fail
 *    the first query of the next connection with it. (1215)
 *
 * connection-loss.test.ts tests all three.
 */
function adapt(socket: Socket, { readyEvent, responseTimeout, onLoss }: AdaptOptions): Socket {
  const write = socket.write.bind(socket);
  const destroy = socket.destroy.bind(socket);
  const emit = socket.emit.bind(socket);
  let timer: NodeJS.Timeout | undefined;
  let isMade = false;
  let fatal: Error | undefined;

  const stopTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const receive = (data: Buffer): boolean => {
    const found = findFatalError(data);
    if (!found) return emit('data', data);
    fatal = found.error;
    if (found.start > 0) emit('data', data.subarray(0, found.start));
    destroy();
    return true;
  };
  const reportLoss = (): boolean => {
    const closed = Object.assign(new Error('The connection to the database is lost'), { code: 'CONNECTION_CLOSED' });
    emit('error', fatal ?? closed);
    // "close" reports the error to queries made in between, so it must not claim to have had one. In the turn after it,
    // the promises that depend on the connection settle.
    onLoss(
      turn()
        .then(turn)
        .then(() => emit('close', false))
        .then(turn),
    );
    return true;
  };
  socket.emit = (name: string | symbol, ...args: unknown[]): boolean => {
    if (name === 'data') return receive(args[0] as Buffer);
    if (name === 'close') stopTimer();
    return name === 'close' && isMade ? reportLoss() : emit(name, ...args);
  };
  socket.on('data', stopTimer);
  const ready = () => {
    isMade = true;
    socket.destroy = () => destroy();
  };
  if (readyEvent) socket.once(readyEvent, ready);
  else ready();
  const writeInTime = (...args: Parameters<typeof write>) => {
    // Refused silently: the pending "close" rejects what was to be written.
    if (socket.destroyed) return false;
    if (Number.isFinite(responseTimeout)) timer ??= setTimeout(() => destroy(), responseTimeout);
    return write(...args);
  };
  socket.write = writeInTime as typeof socket.write;
  return socket;
}

/** A socket that reports the error as soon as the driver can receive it. The driver would leak one that throws. */
function failedSocket(error: unknown): Socket {
  const socket = new Socket();
  socket.write = () => false;
  void turn()
    .then(turn)
    .then(() => {
      // The driver removes its listeners if the client is closed first.
      if (socket.listenerCount('error') === 0) return;
      socket.emit('error', error);
      socket.emit('close', true);
    });
  return socket;
}

/** Opens the sockets of one client. */
export function createSockets(
  { host, port, ssl }: Address,
  { responseTimeout, gate }: { responseTimeout: number; gate: LossGate },
) {
  const ending = new AbortController();
  const isPath = host.startsWith('/');
  let open = 0;
  let hasLost = false;
  let onAllLost = () => {};
  const check = () => {
    if (hasLost && open === 0) onAllLost();
  };
  const onLoss = (reported: Promise<unknown>) => {
    hasLost = true;
    gate.closeUntil(reported);
    void reported.then(check);
  };

  function connect(): Socket {
    open += 1;
    const socket = new Socket().once('close', () => {
      open -= 1;
      check();
    });
    return isPath ? socket.connect(`${host}/.s.PGSQL.${port}`) : socket.connect(port, host);
  }

  async function openTls(mode: TlsMode): Promise<Socket> {
    try {
      const { socket, isSecure } = await connectTls(connect(), mode, host, ending.signal);
      return adapt(socket, { readyEvent: isSecure ? 'secureConnect' : undefined, responseTimeout, onLoss });
    } catch (error) {
      return failedSocket(error);
    }
  }

  return {
    // As in libpq, connections over a Unix socket never use TLS.
    open: (): Socket | Promise<Socket> =>
      ssl && !isPath ? openTls(ssl) : adapt(connect(), { readyEvent: 'connect', responseTimeout, onLoss }),

    /** Resolves when a connection was lost and none is open. */
    whenAllLost: (): Promise<void> =>
      new Promise((resolve) => {
        onAllLost = resolve;
        check();
      }),

    /** Ends attempts to connect. */
    abort: (): void => ending.abort(),
  };
}
