import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { openSocket } from '../../testing/socket.ts';
import { createBufferPool } from './buffer-pool.ts';
import { streamFile } from './stream-file.ts';

const size = 8_000_000;
const whole = Buffer.from(Uint8Array.from({ length: size }, (_, at) => at * 7 + (at >> 12)));

/** Maximum bytes of a leased buffer. */
const lentAtOnce = 100_000;

function source(leases: boolean) {
  const state = { closed: 0, leased: 0, failAt: Number.POSITIVE_INFINITY };
  const read = async (into: Buffer, at: number) => {
    if (at + into.length > state.failAt) throw new Error('damaged');
    whole.copy(into, 0, at);
  };
  const lease = async (at: number) => {
    const bytes = Buffer.alloc(Math.min(lentAtOnce, size - at));
    await read(bytes, at);
    state.leased += 1;
    return {
      bytes,
      release() {
        // Makes any later use of the buffer fail.
        bytes.fill(0);
        structuredClone(undefined, { transfer: [bytes.buffer as ArrayBuffer] });
        state.leased -= 1;
      },
    };
  };
  const close = async () => {
    state.closed += 1;
  };
  return { state, open: () => (leases ? { read, lease, close } : { read, close }) };
}

async function serve(t: Test, { leases = false } = {}) {
  const pool = createBufferPool({ large: 2 ** 18, max: 2, small: 2 ** 16 });
  const { state, open } = source(leases);
  const answers: ServerResponse[] = [];
  const failures: unknown[] = [];
  const server = createServer((_request, response) => {
    answers.push(response);
    streamFile(
      open(),
      { start: 0, end: size - 1 },
      () => response.writeHead(200, { 'content-length': size }),
      pool,
    ).catch((error) => {
      failures.push(error);
      response.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state, pool, answers, failures };
}

async function readWhole(origin: string): Promise<Buffer> {
  const asked = request(origin, { agent: false }).end();
  const [answer] = await once(asked, 'response');
  return Buffer.concat(await answer.toArray());
}

const isRight = (bytes: Buffer) => bytes.equals(whole);

for (const leases of [false, true]) {
  const how = leases ? ' from leased buffers' : '';
  t.test(`concurrent clients each receive all bytes in order${how}`, async (t) => {
    const { origin, pool, state } = await serve(t, { leases });
    for (const bytes of await Promise.all(Array.from({ length: 6 }, () => readWhole(origin)))) t.ok(isRight(bytes));
    await eventually('all six answers are closed', () => state.closed === 6);
    t.equal(pool.inUse(), 0);
    t.equal(state.leased, 0, 'all leased buffers are released');
  });

  t.test(
    `clients that read nothing hold a limited number of large buffers and do not block others${how}`,
    async (t) => {
      const { origin, pool, answers, state } = await serve(t, { leases });
      const idle = await Promise.all(Array.from({ length: 5 }, () => openSocket(origin)));
      for (const { socket, send } of idle) {
        socket.pause();
        await send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      }
      await eventually(
        'five stalled answers',
        () => answers.length === 5 && answers.every(({ writableLength }) => writableLength > 0),
      );
      t.equal(pool.inUse(), 2);
      t.ok(answers.every(({ writableLength }) => writableLength < 2 ** 18 + 1000));
      t.ok(isRight(await readWhole(origin)));
      for (const { socket } of idle) socket.destroy();
      await eventually('all six answers are closed', () => state.closed === 6);
      t.equal(pool.inUse(), 0, 'released after the clients disconnect');
      t.equal(state.leased, 0, 'leased buffers too');
    },
  );

  t.test(`a response queued behind another ends with its connection${how}`, async (t) => {
    const { origin, pool, answers, state } = await serve(t, { leases });
    const { socket, send } = await openSocket(origin);
    socket.pause();
    await send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    await eventually(
      'two stalled answers',
      () => answers.length === 2 && answers.every(({ writableLength }) => writableLength > 0),
    );
    t.equal(pool.inUse(), 2);
    socket.destroy();
    await eventually('both answers are closed', () => state.closed === 2);
    t.equal(pool.inUse(), 0);
  });
  t.test(`damage in the first bytes sends no response, and later damage cuts it${how}`, async (t) => {
    const { origin, state, failures, pool } = await serve(t, { leases });
    state.failAt = 10;
    await t.rejects(readWhole(origin), { code: 'ECONNRESET' });
    state.failAt = size - 1;
    await t.rejects(readWhole(origin));
    t.match(failures, [{ message: 'damaged' }, { message: 'damaged' }]);
    t.equal(state.closed, 2);
    t.equal(pool.inUse(), 0);
  });
}
