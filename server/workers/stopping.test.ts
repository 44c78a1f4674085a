import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import t from 'tap';
import { defaultDrain, gracefulShutdown } from '../http/shutdown/graceful-shutdown.ts';
import { stopServer } from './stopping.ts';

type Line = { msg: string; hanging?: string[] };

/** A server and its log. */
async function build(deadline: number): Promise<{ app: FastifyInstance; lines: Line[] }> {
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(chunk));
      done();
    },
  });
  const app = fastify({ logger: { level: 'warn', stream }, forceCloseConnections: false });
  await app.register(gracefulShutdown, { deadline, drain: { ...defaultDrain, accepting: 0, grace: 0 } });
  return { app, lines };
}

t.test('a stop in which nothing hangs ends with 0 and says nothing', async (t) => {
  const { app, lines } = await build(10);
  app.shutdown.onClose('database', async () => undefined);
  await app.listen();
  t.equal(await stopServer(app, 3_600_000), 0);
  t.same(lines, []);
});

t.test('a stop ends though a part never closes, and names the part', async (t) => {
  const { app, lines } = await build(10);
  const order: string[] = [];
  app.shutdown.onClose('database', () => order.push('database'));
  app.shutdown.onClose('storage', () => new Promise(() => undefined));
  app.shutdown.onClose('uploads', () => order.push('uploads'));
  await app.listen();
  t.equal(await stopServer(app, 100), 1);
  t.match(lines, [{ msg: 'the stop took more than 0.1 s: what is left is cut', hanging: ['storage'] }]);
  t.same(order, ['uploads'], 'what ends behind it is not reached');
});

t.test('a stop ends although a request hangs, and logs it', async (t) => {
  const { app, lines } = await build(3_600_000);
  const asked = new Promise<void>((resolve) => {
    app.get('/', () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
  const { port } = new URL(await app.listen());
  const client = connect(Number(port)).on('error', () => undefined);
  t.teardown(() => client.destroy());
  await once(client, 'connect');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked;
  t.equal(await stopServer(app, 100), 1);
  t.match(lines, [{ hanging: ['1 requests in flight'] }]);
});

t.test('a part that fails to close ends the stop with 1', async (t) => {
  const { app, lines } = await build(10);
  app.shutdown.onClose('storage', () => Promise.reject(new Error('the disk is gone')));
  await app.listen();
  t.equal(await stopServer(app, 3_600_000), 1);
  t.match(lines, [{ msg: 'the stop failed' }]);
});
