/** Answers malformed requests with the usual JSON error. Node's own answers to them have no body. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const known: Record<string, { status: number; code: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'The headers are larger than the server accepts.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time.' },
};

const unreadable = { status: 400, code: 'BAD_REQUEST', message: 'This is not a valid HTTP request.' };

/** @param guarding security headers that every refusal carries */
export function answerClientError(
  guarding: Record<string, string>,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = known[error.code ?? ''] ?? unreadable;
  const body = JSON.stringify({ statusCode: status, code, error: STATUS_CODES[status], message });
  const headers = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...guarding,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
