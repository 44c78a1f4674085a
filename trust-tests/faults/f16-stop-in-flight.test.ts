import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { form } from '../../server/testing/form.ts';
import { newAccount } from '../testing/account.ts';
import { startOwnCluster } from '../testing/cluster.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger, sha256 } from '../testing/ledger.ts';
import { sendPart } from '../testing/load/drips.ts';
import { pictures, uploadInto } from '../testing/load/storm.ts';
import { withoutPostgres } from '../testing/machine/tools.ts';

/** @returns everything that a connection receives until it ends */
async function receive(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

fault(
  'F16',
  'a server stopped with eight uploads in flight answers them, closes the rest and exits with 0',
  async (t) => {
    const home = await createHome(t);
    let server = await home.start();
    const account = await newAccount(server.origin);
    const ledger = createLedger();
    await uploadInto(ledger, server.origin, account);

    const bodies = await Promise.all(
      Array.from({ length: 9 }, async () => {
        const files = await pictures(2);
        const { headers, payload } = await form(files);
        for (const { name, bytes } of files) ledger.sent.set(name, sha256(bytes));
        return { files, body: { headers: { ...headers, ...account.bearer }, payload } };
      }),
    );
    const sockets = await Promise.all(
      bodies.map(({ body }) => sendPart(server.origin, body, Math.floor(body.payload.length / 2))),
    );
    const { hostname, port } = new URL(server.origin);
    const idle = connect(Number(port), hostname).on('error', () => undefined);
    await once(idle, 'connect');
    const idleEnds = once(idle.resume(), 'close');
    // Once this upload is answered, the server has read what was sent before.
    await uploadInto(ledger, server.origin, account);

    const time = stopwatch();
    const stopping = server.stop();
    const answers = sockets.map(receive);
    // Eight uploads are completed; the ninth never is.
    for (const [at, { body }] of bodies.slice(0, 8).entries()) {
      sockets[at]?.write(body.payload.subarray(Math.floor(body.payload.length / 2)));
    }
    t.equal(await stopping, 0);
    within(t, 'F16', 'stopped in', time(), 10);
    await idleEnds;
    const ends = (await Promise.all(answers)).map(statusOf);
    t.same(ends.slice(0, 8), Array(8).fill(201), 'uploads in flight are confirmed');
    t.not(ends[8], 201, 'an incomplete upload is not confirmed');

    server = await home.start();
    for (const { files } of bodies) ledger.open.add(files.map(({ name }) => name));
    await checkAnswers(t, server.origin, account, ledger);
    const rows = await home.sql('select 1 from images');
    t.equal(rows.length, 2 + 8 * 2, 'exactly the confirmed pictures are stored');
    await checkBytes(t, home);
  },
);

fault(
  'F16',
  'a server stopped while Postgres is frozen and uploads are in flight still exits',
  async (t) => {
    const cluster = await startOwnCluster(t);
    const home = await createHome(t, { LOG_LEVEL: 'info' }, { databaseUrl: cluster.url });
    const ledger = createLedger();
    const server = await home.start();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account);
    cluster.freeze();
    const { headers, payload } = await form(await pictures(2));
    const body = { headers: { ...headers, ...account.bearer }, payload };
    await Promise.all(Array.from({ length: 8 }, () => sendPart(server.origin, body, body.payload.length)));
    const time = stopwatch();
    await server.stop();
    within(t, 'F16', 'stopped with a frozen Postgres in', time(), 20);
    cluster.thaw();
    const again = await home.start();
    await checkAnswers(t, again.origin, account, ledger);
  },
  { skip: withoutPostgres },
);
