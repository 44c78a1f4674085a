import { Socket } from 'node:net';

/**
 * A connecting socket that gives up when what was written stays without any answer for `bound` ms: a frozen server
 * keeps its connections open, and the driver would wait for it for ever. Not for TLS, which reads past the socket.
 */
export function watchedSocket(place: { path: string } | { host: string; port: number }, bound: number): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  let timer: NodeJS.Timeout | undefined;
  const answered = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const giveUp = () => {
    const error = new Error(`The database has not answered for ${bound} ms`);
    socket.destroy(Object.assign(error, { code: 'CONNECTION_SILENT' }));
  };
  socket.on('data', answered).on('close', answered);
  const watchedWrite = (...words: Parameters<typeof write>) => {
    timer ??= setTimeout(giveUp, bound);
    return write(...words);
  };
  socket.write = watchedWrite as typeof socket.write;
  return socket.connect(place);
}
