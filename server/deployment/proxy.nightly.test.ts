/** Runs the Caddyfile of docker-compose.scale.yml before two processes that share a database and a storage. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import type { UploadAnswer } from '../contract.ts';
import { newAccount, post } from '../testing/collections/by-command.ts';
import { without } from '../testing/deployment.ts';
import { eventually } from '../testing/eventually.ts';
import { form } from '../testing/form.ts';
import { freePort } from '../testing/free-port.ts';
import { picture } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { temporaryFolder } from '../testing/postgres/embedded.ts';
import { type Server, startServer } from '../testing/processes.ts';

t.setTimeout(180_000);

const caddyfile = 'deploy/caddy/Caddyfile';
const noCaddy = without('caddy', 'caddy');
// On Linux all of 127.0.0.0/8 is this machine: one port on two addresses, as with containers.
const noScene = noCaddy || (process.platform === 'linux' ? false : 'this machine has one loopback address');
const replicas = ['127.0.0.1', '127.0.0.2'] as const;

/** A name server with one name that resolves to all replicas (RFC 1035). @returns its address */
async function startResolver(t: Test): Promise<string> {
  const socket = createSocket('udp4', (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const isAddress = query.readUInt16BE(end - 4) === 1;
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(0x8580, 2);
    head.writeUInt16BE(isAddress ? replicas.length : 0, 6);
    head.fill(0, 8, 12);
    const records = replicas.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat(isAddress ? [head, ...records] : [head]), from.port, from.address);
  }).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return `udp/127.0.0.1:${socket.address().port}`;
}

async function startCaddy(t: Test, appPort: number): Promise<string> {
  const [port, admin, grafana] = [
    await freePort('127.0.0.1'),
    await freePort('127.0.0.1'),
    await freePort('127.0.0.1'),
  ];
  const folder = temporaryFolder(t);
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    DOMAIN: origin,
    APP_NAME: 'app',
    APP_RESOLVER: await startResolver(t),
    APP_PORT: String(appPort),
    CADDY_ADMIN: `127.0.0.1:${admin}`,
    GRAFANA_SITE: `http://127.0.0.1:${grafana}`,
  };
  const child: ChildProcess = spawn('caddy', ['run', '--config', caddyfile], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await eventually(
    'Caddy forwards to a server',
    async () => (await fetch(`${origin}/api/health/live`).catch(() => undefined))?.ok ?? false,
  );
  return origin;
}

type Line = { msg: string; reqId: string; path: string; ip: string };
const linesOf = (server: Server): Line[] =>
  server
    .stdout()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));
const answered = (server: Server, path: string) =>
  linesOf(server).filter((line) => line.msg === 'answered' && line.path === path);

async function openScene(t: Test) {
  const port = await freePort('127.0.0.1');
  const env = {
    DATA_DIR: temporaryFolder(t),
    DATABASE_URL: (await createTestDatabase(t)).url,
    JWT_SECRET: 'one secret for both, of 32 bytes or more',
    TRUST_PROXY: '127.0.0.0/8',
    PORT: String(port),
  };
  const start = (host: string) => startServer(t, { ...env, HOST: host });
  const servers = [await start(replicas[0]), await start(replicas[1])] as const;
  return { servers, start, origin: await startCaddy(t, port) };
}

t.test('the Caddyfile is valid and requests a certificate for its domain', { skip: noCaddy }, async (t) => {
  const env = { ...process.env, DOMAIN: 'gallery.example.com' };
  const { stdout } = await promisify(execFile)('caddy', ['adapt', '--config', caddyfile, '--validate'], { env });
  const { servers } = JSON.parse(stdout).apps.http;
  const sites = Object.values(servers as Record<string, { listen: string[]; automatic_https?: object }>);
  t.same(sites.flatMap(({ listen }) => listen).sort(), [':3001', ':443']);
  t.ok(sites.every(({ automatic_https }) => automatic_https === undefined));
});

t.test('both processes know an account that one created, and each call has one id', { skip: noScene }, async (t) => {
  const { servers, origin } = await openScene(t);
  const account = newAccount();
  t.equal((await post(`${origin}/api/auth/register`, account)).status, 201);
  const login = (await (await post(`${origin}/api/auth/login`, account)).json()) as { access_token: string };
  const authorization = `Bearer ${login.access_token}`;
  const { headers, payload } = await form([{ name: 'a.png', bytes: await picture() }]);
  const sent = { method: 'POST', headers: { ...headers, authorization }, body: new Uint8Array(payload) };
  const uploaded = await fetch(`${origin}/api/images/upload`, sent);
  t.equal(uploaded.status, 201);
  const [image] = ((await uploaded.json()) as UploadAnswer).images;
  t.ok(image?.url.startsWith(`${origin}/i/`), 'links point to the proxy');
  const ids = new Set<string>();
  for (let time = 0; time < 30; time += 1) {
    const answer = await fetch(`${origin}/api/images/`, {
      headers: { authorization, 'x-request-id': 'chosen-by-the-client', 'x-forwarded-for': '203.0.113.9' },
    });
    t.equal(answer.status, 200);
    ids.add(answer.headers.get('x-request-id') ?? '');
    t.equal((await fetch(image?.thumbnail_url ?? '')).status, 200);
  }
  t.equal(ids.size, 30);
  t.notOk(ids.has('chosen-by-the-client'));
  const path = '/api/images/';
  await eventually(
    '30 answered requests in the logs',
    () => answered(servers[0], path).length + answered(servers[1], path).length === 30,
  );
  const counts = servers.map((server) => answered(server, path).length);
  t.ok(Math.min(...counts) > 0, `both answer: ${counts}`);
  const lines = servers.flatMap((server) => answered(server, path));
  t.same(new Set(lines.map(({ reqId }) => reqId)), ids, 'the log line has the id of the response');
  t.notOk(
    lines.some(({ ip }) => ip === '203.0.113.9'),
    'a client cannot forge its address',
  );
});

t.test('no list request fails while one process is stopped, killed and restarted', { skip: noScene }, async (t) => {
  const { servers, start, origin } = await openScene(t);
  const account = newAccount();
  await post(`${origin}/api/auth/register`, account);
  const login = (await (await post(`${origin}/api/auth/login`, account)).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${login.access_token}` };
  const statuses: number[] = [];
  let isOver = false;
  const reader = async () => {
    while (!isOver) {
      const answer = await fetch(`${origin}/api/images/`, { headers });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
  };
  const readers = [reader(), reader(), reader()];
  const more = async (count: number) => {
    const before = statuses.length;
    await eventually(`${count} more answers`, () => statuses.length >= before + count);
  };
  await more(20);
  t.equal(await servers[1].stop(), 0);
  await more(50);
  const again = await start(replicas[1]);
  await eventually('an answer of the restarted server', () => answered(again, '/api/images/').length > 0);
  servers[0].child.kill('SIGKILL');
  await servers[0].ended;
  await more(50);
  isOver = true;
  await Promise.all(readers);
  t.same([...new Set(statuses)], [200], `${statuses.length} lists`);
});
