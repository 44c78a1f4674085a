/** Runs a real nginx with the configuration from docs/run/installation.md. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen, type TestOptions, temporaryFolder } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { form } from '../testing/form.ts';
import { freePort } from '../testing/free-port.ts';
import { noise } from '../testing/pictures.ts';

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find((path) => existsSync(path));
const skip = nginx === undefined && 'nginx is not installed';

/** The manual's nginx block with a test port, upstream and protocol. */
function documented(port: number, upstream: string, forwardedProto: string): string {
  const [, block = ''] = /```nginx\n([\s\S]*?)```/.exec(readFileSync('docs/run/installation.md', 'utf8')) ?? [];
  return block
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace('proxy_pass http://127.0.0.1:3000;', `proxy_pass ${upstream};`)
    .replace('X-Forwarded-Proto $scheme;', `X-Forwarded-Proto ${forwardedProto};`);
}

const configuration = (folder: string, port: number, upstream: string, forwardedProto: string) => `
daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  ${documented(port, upstream, forwardedProto)}
}`;

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  if (child.exitCode === null && child.kill('SIGTERM')) await gone;
}

/** @returns the app and the origin at which nginx serves it */
async function behindNginx(t: Test, options: TestOptions, forwardedProto = '$scheme') {
  const app = await buildTestApp(t, options);
  const upstream = await listen(app);
  const folder = await temporaryFolder(t);
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, port, upstream, forwardedProto));
  const child = spawn(nginx ?? '', ['-c', file, '-p', folder, '-e', 'stderr'], { stdio: 'ignore' });
  t.teardown(() => end(child));
  const origin = `http://127.0.0.1:${port}`;
  await eventually('nginx forwards to the server', () =>
    fetch(`${origin}/api/health/live`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { app, origin };
}

/** Sends a failed login from `localAddress`. @returns the status */
async function logInFrom(localAddress: string, origin: string, forwardedFor: string): Promise<number | undefined> {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor };
  const call = request(`${origin}/api/auth/login`, { method: 'POST', headers, localAddress }).end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

const countedLogins = (app: FastifyInstance) =>
  app.db.execute(`select key, count from rate_limits where key like 'login:%' order by key`);

const spoofs = ['198.51.100.1', '10.0.0.1, 192.0.2.7', 'nonsense', '127.0.0.1', '::1'];

t.test(
  'rate limits count a client by the address that nginx saw, whatever X-Forwarded-For it sends',
  { skip },
  async (t) => {
    const { app, origin } = await behindNginx(t, { rateLimit: 'on', trustProxy: ['127.0.0.1'] });
    for (const spoof of spoofs) t.equal(await logInFrom('127.0.0.2', origin, spoof), 401, spoof);
    t.equal(await logInFrom('127.0.0.3', origin, '127.0.0.2'), 401);
    t.match(await countedLogins(app), [
      { key: 'login:127.0.0.2', count: spoofs.length },
      { key: 'login:127.0.0.3', count: 1 },
    ]);
  },
);

t.test('with https at nginx, links, cookie and HSTS use https, and an upload succeeds', { skip }, async (t) => {
  const { app, origin } = await behindNginx(t, { trustProxy: ['127.0.0.1'] }, 'https');
  const account = await signIn(app);
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    body: JSON.stringify(account),
  });
  t.equal(answer.status, 200);
  t.match(answer.headers.get('set-cookie'), /^__Host-session=.*; Secure/);
  t.match(answer.headers.get('strict-transport-security'), /max-age/);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const { headers, payload } = await form([{ name: 'a.jpg', bytes: await noise(900, 700) }]);
  const stored = await fetch(`${origin}/api/images/upload`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}`, 'x-forwarded-host': 'evil.example' },
    body: new Uint8Array(payload),
  });
  t.equal(stored.status, 201);
  const { images } = (await stored.json()) as { images: { url: string }[] };
  t.match(images[0]?.url, origin.replace('http:', 'https:'), 'nginx overwrites the forwarded headers of the client');
});

t.test('nginx replaces the request id and drops the trace header of a client', { skip }, async (t) => {
  const { app, origin } = await behindNginx(t, { trustProxy: ['127.0.0.1'] });
  const seen: (string | undefined)[] = [];
  app.server.prependListener('request', ({ headers }) => seen.push(headers.traceparent as string | undefined));
  const headers = { 'x-request-id': 'mine', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
  const answer = await fetch(`${origin}/api/health/live`, { headers });
  t.match(answer.headers.get('x-request-id'), /^[\da-f]{32}$/, 'nginx names the request');
  t.same(seen, [undefined]);
});

t.test('without TRUST_PROXY the server ignores the forwarded headers of nginx', { skip }, async (t) => {
  const { app, origin } = await behindNginx(t, { rateLimit: 'on' }, 'https');
  for (const spoof of spoofs) await logInFrom('127.0.0.2', origin, spoof);
  t.match(await countedLogins(app), [{ key: 'login:127.0.0.1', count: spoofs.length }]);
  const answer = await fetch(`${origin}/api/health/live`);
  t.notOk(answer.headers.get('strict-transport-security'));
});
