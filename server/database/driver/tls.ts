/**
 * Opens TLS connections for the driver (3.4.9). Its own TLS replaces the socket, and with it the reports of a connection
 * loss (socket.ts): queries would wait for a timeout, or without end if the server closes connections during their start. It has no issue of
 * its own: it can go when socket.ts can.
 */
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import type { Address } from '../address.ts';

export type TlsMode = Exclude<Address['ssl'], undefined | false>;

/** Milliseconds that the server may take to accept a connection and to answer whether it supports TLS. */
const ANSWER_TIMEOUT = 5000;

// Length and code of an SSLRequest message.
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

/** @param socket connecting @returns whether the server accepts TLS */
function requestTls(socket: Socket, signal: AbortSignal): Promise<boolean> {
  return new Promise<boolean>((resolve, reject) => {
    const fail = (error: Error) => {
      stop();
      socket.destroy();
      reject(error);
    };
    const abort = () => fail(failure('CONNECTION_DESTROYED', 'The database client was closed'));
    const close = () => fail(failure('CONNECTION_CLOSED', 'The server closed the connection before TLS'));
    const request = () => socket.write(SSL_REQUEST);
    const receive = (answer: Buffer) => {
      // More bytes than the answer would be unencrypted: someone may have inserted them.
      if (answer.length !== 1) return fail(failure('ESSLANSWER', 'The server sent unencrypted data before TLS'));
      stop();
      resolve(answer[0] === 0x53);
    };
    const timer = setTimeout(
      () => fail(failure('CONNECT_TIMEOUT', 'The server did not answer in time')),
      ANSWER_TIMEOUT,
    );
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.off('connect', request).off('data', receive).off('close', close).off('error', fail);
      // An error after this is reported by the TLS socket.
      socket.on('error', () => undefined);
    };
    signal.addEventListener('abort', abort);
    socket.on('connect', request).on('data', receive).on('close', close).on('error', fail);
    if (signal.aborted) abort();
  });
}

function tlsOptions(mode: TlsMode, host: string): ConnectionOptions {
  const name = isIP(host) ? { host } : { host, servername: host };
  if (mode === 'verify-full') return name;
  return typeof mode === 'object' ? { ...name, ...mode } : { ...name, rejectUnauthorized: false };
}

/**
 * @param socket connecting to `host`
 * @returns a TLS socket in its handshake; the same socket, connected, if the server has no TLS and `mode` permits that
 */
export async function connectTls(
  socket: Socket,
  mode: TlsMode,
  host: string,
  signal: AbortSignal,
): Promise<{ socket: Socket; isSecure: boolean }> {
  if (await requestTls(socket, signal)) {
    return { socket: connect({ socket, ...tlsOptions(mode, host) }), isSecure: true };
  }
  if (mode === 'prefer' || mode === 'allow') return { socket, isSecure: false };
  socket.destroy();
  throw failure('ENOTLS', 'The server does not support TLS');
}
