/** Whole processes: a primary and its workers, as WORKERS starts them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { form } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { type Server, startProcess, startServer } from '../testing/processes.ts';

t.setTimeout(120_000);

const start = async (t: Test, workers = 3): Promise<Server> =>
  startServer(t, {
    DATA_DIR: await temporaryFolder(t),
    DATABASE_URL: (await createTestDatabase(t)).url,
    WORKERS: String(workers),
  });

/** Process ids of those that have said that they listen, in that order. */
const listened = ({ stdout }: Pick<Server, 'stdout'>): number[] =>
  [...stdout().matchAll(/"pid":(\d+),[^\n]*"msg":"Server listening/g)].map(([, pid]) => Number(pid));

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

type Answer = { status: number; body: string };

type Sent = { body?: string; headers?: object; agent?: Agent };

/** Uses a separate connection, unless an agent keeps some. */
function call(origin: string, path: string, { body, headers = {}, agent }: Sent = {}) {
  const method = body === undefined ? 'GET' : 'POST';
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(
      origin + path,
      { agent: agent ?? false, method, headers: { ...json, ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    sent.on('error', reject).end(body);
  });
}

async function signIn(origin: string): Promise<{ authorization: string }> {
  const account = { username: 'someone', email: 'someone@example.com', password: 'a long enough password' };
  await call(origin, '/api/auth/register', { body: JSON.stringify(account) });
  const { body } = await call(origin, '/api/auth/login', { body: JSON.stringify(account) });
  return { authorization: `Bearer ${JSON.parse(body).access_token}` };
}

/** Asks again and again, four at once, two of them on connections that they keep. @returns what was not answered with 200 */
function hammer(origin: string, headers: object) {
  const wrong: string[] = [];
  let asked = 0;
  let stopped = false;
  const client = async (agent?: Agent) => {
    while (!stopped) {
      asked += 1;
      await call(origin, '/api/images/?page=1', { headers, ...(agent ? { agent } : {}) }).then(
        ({ status, body }) => status === 200 || wrong.push(`${status} ${body}`),
        (error) => wrong.push(String(error)),
      );
    }
  };
  const kept = new Agent({ keepAlive: true });
  const all = Promise.all([client(), client(), client(kept), client(kept)]).finally(() => kept.destroy());
  return {
    asked: () => asked,
    async stop() {
      stopped = true;
      await all;
      return wrong;
    },
  };
}

t.test('several processes serve one port, and each knows the sessions of the others', async (t) => {
  const server = await start(t);
  await eventually('three workers listen', () => listened(server).length === 3);
  const headers = await signIn(server.origin);
  const answers = await Promise.all(Array.from({ length: 60 }, () => call(server.origin, '/api/auth/me', { headers })));
  t.same([...new Set(answers.map(({ status }) => status))], [200]);
  const answered = () =>
    new Set([...server.stdout().matchAll(/"pid":(\d+),[^\n]*\/api\/auth\/me/g)].map(([, pid]) => pid));
  await eventually('each worker has answered', () => answered().size === 3);
  t.equal(await server.stop(), 0);
  t.same(listened(server).filter(isAlive), [], 'none is left');
});

t.test('one that is killed is started again, and nobody is refused meanwhile', async (t) => {
  const server = await start(t);
  const [victim = 0] = await eventually(
    'three workers listen',
    () => listened(server).length === 3 && listened(server),
  );
  const headers = await signIn(server.origin);
  // Its own connections are cut, whatever one does: asked are the others.
  process.kill(victim, 'SIGKILL');
  await eventually('the end of the killed worker in the log', () =>
    /exited unexpectedly \(SIGKILL\)/.test(server.stderr()),
  );
  const clients = hammer(server.origin, headers);
  await eventually('a fourth worker listens', () => listened(server).length === 4);
  const before = clients.asked();
  await eventually('20 more calls', () => clients.asked() > before + 20);
  t.same(await clients.stop(), []);
});

t.test('SIGHUP replaces all of them, and every call is answered', async (t) => {
  const server = await start(t);
  const old = await eventually('three workers listen', () => listened(server).length === 3 && listened(server));
  const clients = hammer(server.origin, await signIn(server.origin));
  server.child.kill('SIGHUP');
  await eventually('all workers are replaced', () => server.stderr().includes('All workers are replaced.'));
  t.same(await clients.stop(), []);
  t.same(old.filter(isAlive), []);
  t.equal(listened(server).slice(3).filter(isAlive).length, 3);
  t.notMatch(server.stderr(), /unexpectedly/);
  t.equal(times(server.stdout(), 'QUOTA is not set'), 2, 'one worker of each generation logs the warnings of a start');
});

/** Uploads of which the beginning has come, in every worker. @returns what ends them, and tells how each was answered */
async function beginUploads({ origin }: Server, bearer: { authorization: string }) {
  const { hostname, port, host } = new URL(origin);
  const uploads = await Promise.all(
    [40, 50, 60, 70, 80, 90].map(async (width) => {
      const { headers, payload } = await form([{ name: `${width}.png`, bytes: await picture({ width }) }]);
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const all = { ...headers, ...bearer, host, 'content-length': payload.length };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST /api/images/upload HTTP/1.1\r\n${lines.join('')}\r\n`);
      socket.write(payload.subarray(0, 50));
      return { socket, rest: payload.subarray(50) };
    }),
  );
  // One more answer of each, so that all that was sent before has surely been taken up.
  for (let time = 0; time < 6; time += 1) await call(origin, '/api/auth/me', { headers: bearer });
  return () =>
    Promise.all(
      uploads.map(async ({ socket, rest }) => {
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.write(rest);
        await once(socket, 'close');
        return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
      }),
    );
}

const times = (text: string, part: string) => text.split(part).length - 1;

t.test('a stop lets requests in flight end, in every worker', async (t) => {
  const server = await start(t);
  await eventually('three workers listen', () => listened(server).length === 3);
  const endUploads = await beginUploads(server, await signIn(server.origin));
  const ended = server.stop();
  await eventually(
    'three workers wait for their requests',
    () => times(server.stdout(), 'requests in flight end first') === 3,
  );
  t.same(await endUploads(), Array(6).fill('201'));
  t.equal(await ended, 0);
});

t.test('a stop during a replacement lets requests in flight end, in the retiring worker too', async (t) => {
  const server = await start(t, 2);
  await eventually('both workers listen', () => listened(server).length === 2);
  const endUploads = await beginUploads(server, await signIn(server.origin));
  server.child.kill('SIGHUP');
  await eventually('a worker is retiring', () => times(server.stdout(), 'retiring: ') === 1);
  const ended = server.stop();
  await eventually(
    'three workers wait for their requests',
    () => times(server.stdout(), 'requests in flight end first') === 3,
  );
  t.same(await endUploads(), Array(6).fill('201'));
  t.equal(await ended, 0);
  t.equal(listened(server).length, 3);
});

t.test('a failed start is reported once', async (t) => {
  const dataDir = await temporaryFolder(t);
  const lines = async (env: Record<string, string>) => {
    const running = startProcess(t, 'main', [], { DATA_DIR: dataDir, PORT: '0', WORKERS: '3', ...env });
    t.equal(await running.ended, 1);
    return running.stderr().trim().split('\n');
  };
  t.same(await lines({}), [
    'WORKERS must be 1 with the embedded database, which serves one process, but was 3: set DATABASE_URL too',
  ]);
  const url = new URL((await createTestDatabase(t)).url);
  url.pathname = '/none';
  const unknown = await lines({ DATABASE_URL: url.href });
  t.equal(unknown.length, 1);
  t.match(unknown[0], /^DATABASE_URL: the server at \S+ has no database "none"/);
});

t.test('when the primary is killed, its workers end', async (t) => {
  const server = await start(t, 2);
  const pids = await eventually('both workers listen', () => listened(server).length === 2 && listened(server));
  server.child.kill('SIGKILL');
  await eventually('the workers have exited', () => !pids.some(isAlive));
  t.pass('none is left');
});

t.test('npm start’s supervisor starts all of them again, and stops them', async (t) => {
  const supervisor = new URL('../../program/supervisor.js', import.meta.url);
  const main = fileURLToPath(new URL('../../program/main.js', import.meta.url));
  const file = join(await temporaryFolder(t), 'supervised.mjs');
  writeFileSync(file, `import { supervise } from '${supervisor}'; process.exit(await supervise('${main}'));`);
  const child = spawn(process.execPath, [file], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: await temporaryFolder(t),
      DATABASE_URL: (await createTestDatabase(t)).url,
      PORT: '0',
      WORKERS: '2',
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const ended = once(child, 'close');
  t.teardown(() => child.kill('SIGKILL'));
  const workers = () => listened({ stdout: () => text });
  const first = await eventually('both workers listen', () => workers().length === 2 && workers());
  const primary = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${first[0]}/status`, 'utf8'))?.[1]);
  process.kill(primary, 'SIGKILL');
  const all = await eventually('two new workers listen', () => workers().length === 4 && workers());
  t.match(text, /The server exited unexpectedly \(SIGKILL\)/);
  await eventually('the first workers have exited', () => !first.some(isAlive));
  child.kill('SIGTERM');
  t.equal((await ended)[0], 0);
  t.same(all.filter(isAlive), []);
});
