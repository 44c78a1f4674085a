import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import t, { type Test } from 'tap';
import type { AppOptions } from '../../app-options.ts';
import { readConfig } from '../../config/read-config.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, listen, temporaryFolder } from '../../testing/app.ts';
import { storedFiles } from '../../testing/disk.ts';
import { eventually } from '../../testing/eventually.ts';
import { form } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { openSocket } from '../../testing/socket.ts';
import { serverOptions } from '../server-options.ts';
import { defaultDrain, gracefulShutdown } from './graceful-shutdown.ts';

// On a busy machine the first decoder alone may take longer than the default deadline to start.
const enough = 120_000;

type SmallOptions = { deadline?: number; drain?: Partial<typeof defaultDrain> };

/** A server with the real options and one trivial route. */
async function smallServer(t: Test, { deadline = enough, drain }: SmallOptions) {
  const app = fastify(serverOptions({ ...readConfig({}), logLevel: 'silent' }, String));
  t.teardown(() => app.close());
  await app.register(gracefulShutdown, { deadline, drain: { ...defaultDrain, ...drain } });
  app.get('/', async () => 'here');
  return app;
}

t.test('close() returns despite one silent and one idle keep-alive connection', async (t) => {
  const app = await smallServer(t, {});
  const origin = await listen(app);
  const [silent, kept] = [await openSocket(origin), await openSocket(origin)];
  await kept.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(kept.socket, 'data');
  await app.close();
  t.equal(await silent.received, '');
  t.match(await kept.received, /^HTTP\/1\.1 200/);
});

t.test('close() does not wait for a response that was queued on a lost connection', async (t) => {
  const app = await smallServer(t, { deadline: 3_600_000 });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let calls = 0;
  app.get('/slow', async () => {
    calls += 1;
    await released;
    return 'answered';
  });
  const connected = once(app.server, 'connection');
  const { socket, send } = await openSocket(await listen(app));
  const [connection] = await connected;
  const call = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
  await send(call + call);
  await eventually('both requests have begun', () => calls === 2);
  const lost = once(connection, 'close');
  socket.destroy();
  await lost;
  release();
  await t.resolves(app.close());
});

/** Sends the first half of an upload to a complete server. */
async function halfWay(t: Test, options: AppOptions) {
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { dataDir, options });
  const origin = await listen(app);
  const { token } = await signIn(app);
  const { headers, payload } = await form([{ name: 'a.jpg', bytes: await picture({ format: 'jpeg' }) }]);
  const { send, received } = await openSocket(origin);
  const half = Math.floor(payload.length / 2);
  await send(
    `POST /api/images/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`,
  );
  await send(payload.subarray(0, half));
  const files = () => storedFiles(dataDir);
  await eventually('the upload is being staged', async () => (await files()).length > 0);
  return { app, origin, received, sendRest: () => send(payload.subarray(half)), files };
}

/** Sends the first part of a request to a small server. */
async function begun(t: Test, options: SmallOptions) {
  const app = await smallServer(t, options);
  app.post('/', async (_request, reply) => reply.code(201).send('taken'));
  const origin = await listen(app);
  const request = once(app.server, 'request');
  const { send, received } = await openSocket(origin);
  await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{');
  await request;
  return { app, origin, received, sendRest: () => send('}') };
}

t.test('close() waits for an upload in flight', async (t) => {
  const { app, received, sendRest, files } = await halfWay(t, { stopWithin: enough });
  const closed = app.close();
  await sendRest();
  await closed;
  t.match(await received, /^HTTP\/1\.1 201/);
  t.equal((await files()).length, 2);
});

t.test('a draining server accepts no connection and waits for a request in flight', async (t) => {
  const drain = { grace: 0, timeout: 3_600_000 };
  const { app, origin, received, sendRest } = await begun(t, { drain, deadline: 0 });
  const stopped = app.shutdown.drain().then(() => app.close());
  await eventually('the server stops listening', () => !app.server.listening);
  await t.rejects(openSocket(origin), { code: 'ECONNREFUSED' });
  await sendRest();
  await stopped;
  t.match(await received, /^HTTP\/1\.1 201/);
});

t.test('a drain under load cuts no connection that was already made', async (t) => {
  const app = await smallServer(t, { drain: { accepting: enough, grace: 3_600_000, timeout: 0 } });
  const origin = await listen(app);
  const answers: Promise<string>[] = [];
  // Each turn of the event loop is slow and leaves a connection that the server has not accepted yet.
  const work = () => {
    if (answers.length === 20) return;
    const end = performance.now() + 1;
    while (performance.now() < end);
    const sent = openSocket(origin).then(async ({ send, received }) => {
      await send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      return received;
    });
    answers.push(sent.catch(({ code }) => code));
    setImmediate(work);
  };
  setImmediate(work);
  const left = app.shutdown.drain();
  await eventually('20 requests are sent', () => answers.length === 20);
  for (const answer of await Promise.all(answers)) t.match(answer, /^(ECONNREFUSED|HTTP\/1\.1 (200|503))/);
  await left;
});

t.test('a drain accepts all waiting connections that arrived at once', async (t) => {
  const app = await smallServer(t, { drain: { accepting: enough, grace: 3_600_000, timeout: 0 } });
  const origin = await listen(app);
  // Puts the event loop in the phase in which a signal arrives: before it polls for connections.
  await stat('.');
  const answers = Array.from({ length: 20 }, async () => {
    const { send, received } = await openSocket(origin);
    await send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return received;
  });
  // By now the kernel has completed the connections.
  await new Promise(process.nextTick);
  const left = app.shutdown.drain();
  for (const answer of await Promise.all(answers)) t.match(answer, /^HTTP\/1\.1 200/);
  await left;
});

t.test('a drain ends after its maximum time with a request still in flight', async (t) => {
  const { app } = await begun(t, { drain: { grace: 0, timeout: 10 }, deadline: 0 });
  await t.resolves(app.shutdown.drain());
});

t.test('during a drain, a request on a keep-alive connection is answered with connection: close', async (t) => {
  const { app, origin, received, sendRest } = await begun(t, {});
  const kept = await openSocket(origin);
  const call = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  await kept.send(call);
  await once(kept.socket, 'data');
  const left = app.shutdown.drain(true);
  await eventually('the server stops listening', () => !app.server.listening);
  await kept.send(call);
  t.match(await kept.received, /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 [\s\S]*connection: close/i);
  await sendRest();
  t.match(
    await received,
    /^HTTP\/1\.1 201 [\s\S]*connection: close/i,
    'the connection with a request in flight closes too',
  );
  await left;
  await app.close();
});

t.test('during a drain, a started response completes, and its connection may send one more request', async (t) => {
  const grace = 3_000;
  const app = await smallServer(t, { drain: { accepting: 0, grace, timeout: 0 } });
  const body = new PassThrough();
  app.get('/long', (_request, reply) => reply.send(body));
  const { socket, send, received } = await openSocket(await app.listen());
  await send('GET /long HTTP/1.1\r\nHost: a\r\n\r\n');
  body.write('begun');
  await once(socket, 'data');
  const stopped = app.shutdown.drain(true).then(() => app.close());
  await eventually('the server is leaving', () => !app.server.listening);
  // Move the clock past the grace period that all connections get.
  const now = performance.now.bind(performance);
  t.capture(performance, 'now', () => now() + grace);
  body.end();
  await once(socket, 'data');
  await send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  t.match(await received, /begun[\s\S]*HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*here/i);
  await stopped;
});

t.test('a stop of a draining server ends with the last response in flight', async (t) => {
  const grace = 300;
  const app = await smallServer(t, { drain: { accepting: 0, grace, timeout: enough } });
  const body = new PassThrough();
  app.get('/long', (_request, reply) => reply.send(body));
  const { socket, send, received } = await openSocket(await app.listen());
  const left = app.shutdown.drain();
  await eventually('the server is leaving', () => !app.server.listening);
  await send('GET /long HTTP/1.1\r\nHost: a\r\n\r\n');
  body.write('begun');
  await once(socket, 'data');
  const stopped = app.shutdown.drain(true);
  // This timer is as long as that of the first drain and started later, so it ends later.
  await sleep(grace);
  body.end();
  t.match(await received, /begun/);
  await Promise.all([left, stopped]);
});

t.test('onStop callbacks run once, when the stop begins', async (t) => {
  const { app, received, sendRest } = await begun(t, { drain: { grace: 0, timeout: 10 } });
  let ends = 0;
  app.shutdown.onStop(() => {
    ends += 1;
  });
  await app.shutdown.drain();
  t.equal(ends, 0, 'it continues while the server only drains');
  const stopped = app.shutdown.drain(true).then(() => app.close());
  t.equal(ends, 1, 'before the requests in flight end');
  await sendRest();
  t.match(await received, /^HTTP\/1\.1 201/);
  await stopped;
  t.equal(ends, 1);
});

t.test('a request during a stop answers 503 with the security headers', async (t) => {
  const app = await buildTestApp(t);
  const begun = once(app.server, 'request');
  const { send, received } = await openSocket(await listen(app));
  await send(
    `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
  );
  // The stop waits for the first request; a second one follows on the same connection.
  await begun;
  const closed = app.close();
  await eventually('the server is stopping', () => app.shutdown.isStopping());
  await send('}GET /api/images/ HTTP/1.1\r\nHost: a\r\n\r\n');
  await closed;
  const answer = await received;
  t.match(answer, /^HTTP\/1\.1 400 /, 'the first request is answered');
  t.match(answer, /HTTP\/1\.1 503 [\s\S]*nosniff[\s\S]*retry-after: 5[\s\S]*SERVER_BUSY/);
});

t.test('a request that does not end is cut at the deadline and leaves no files', async (t) => {
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { dataDir, options: { stopWithin: 50 } });
  const origin = await listen(app);
  const { token } = await signIn(app);
  const { send, received } = await openSocket(origin);
  await send(
    `POST /api/images/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 99999\r\n\r\n--x\r\nContent-Disposition: form-data; name="images"; filename="a"\r\n\r\nbytes`,
  );
  await eventually('the upload is being staged', async () => (await storedFiles(dataDir)).length > 0);
  await app.close();
  await received;
  t.same(await storedFiles(dataDir), []);
});
