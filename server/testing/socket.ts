/** A raw connection, to send what a well-behaved client never sends. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type RawConnection = {
  socket: Socket;
  send(text: string | Uint8Array): Promise<void>;
  /** Resolves with all received data once the server closes. */
  received: Promise<string>;
};

export async function openSocket(origin: string): Promise<RawConnection> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const received = new Promise<string>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
  await once(socket, 'connect');
  const send = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
  return { socket, send, received };
}
