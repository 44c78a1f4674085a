/** Clients that send slowly or incompletely. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const opened = async (origin: string): Promise<Socket> => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  return socket;
};

type Body = { headers: Record<string, string>; payload: Uint8Array };

export const headOf = ({ headers, payload }: Body): string =>
  [
    'POST /api/images/upload HTTP/1.1',
    'Host: localhost',
    ...Object.entries({ ...headers, 'content-length': String(payload.length) }).map((pair) => pair.join(': ')),
    '\r\n',
  ].join('\r\n');

/** Sends the head and that many bytes of the body. */
export async function sendPart(origin: string, body: Body, bytes: number): Promise<Socket> {
  const socket = await opened(origin);
  const sent = new Promise((resolve) => socket.once('error', resolve));
  socket.write(headOf(body));
  await Promise.race([
    sent,
    new Promise<void>((resolve) => void socket.write(body.payload.subarray(0, bytes), () => resolve())),
  ]);
  return socket;
}

export type Drip = {
  socket: Socket;
  /** Whether the server has closed the connection. */
  cut: () => boolean;
};

/** Sends the head, then that many bytes of the body each second. */
export async function drip(origin: string, body: Body, bytesPerSecond: number): Promise<Drip> {
  const socket = await sendPart(origin, body, bytesPerSecond);
  let at = bytesPerSecond;
  const timer = setInterval(() => {
    socket.write(body.payload.subarray(at, at + bytesPerSecond));
    at += bytesPerSecond;
  }, 1000);
  let closed = false;
  socket.once('close', () => {
    closed = true;
    clearInterval(timer);
  });
  return { socket, cut: () => closed };
}
