// A real S3 server for tests: Debian's OpenStack Swift with its s3api, which checks version 4 signatures. Five processes on
// free ports and one folder; of /etc/swift it uses only the package's salt.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const programs = ['swift-proxy-server', 'swift-account-server', 'swift-container-server', 'swift-object-server'].map(
  (name) => `/usr/bin/${name}`,
);

export const swiftIsInstalled = () => [...programs, '/usr/bin/memcached'].every((path) => existsSync(path));

const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** Milliseconds for five processes to start on a busy machine. */
const patience = 60_000;

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

const common = (folder, port) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
workers = 0
log_level = ERROR
log_address = ${join(folder, 'no-syslog')}
fallocate_reserve = 0
`;

const backend = (folder, port, kind) => `${common(folder, port)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;

const proxy = (folder, port, memcached) => `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth bulk slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
check_bucket_owner = true
[filter:tempauth]
use = egg:swift#tempauth
user_gallery_owner = the-secret-of-the-owner .admin
user_gallery_stranger = the-secret-of-a-stranger
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
${['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'slo', 'dlo', 'versioned_writes', 'symlink']
  .map((name) => `[filter:${name}]\nuse = egg:swift#${name}`)
  .join('\n')}
`;

const ringsOf = `
import sys
from swift.common.ring import RingBuilder
folder, *rest = sys.argv[1:]
for kind, port in zip(rest[::2], rest[1::2]):
    builder = RingBuilder(1, 1, 1)
    place = dict(region=1, zone=1, ip='127.0.0.1', port=int(port), replication_ip='127.0.0.1', replication_port=int(port))
    builder.add_dev(dict(place, device='d1', weight=1.0, meta=''))
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{kind}.ring.gz')
`;

function makeRings(folder, ports) {
  const words = ['-c', ringsOf, folder, ...Object.entries(ports).flat().map(String)];
  const { status, stderr } = spawnSync('/usr/bin/python3', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Swift's rings could not be created: ${stderr}`);
}

/** Starts a process that ends with this one, even if this one is killed. */
function start(command, words, log) {
  const bound = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'TERM', '--', command] : [command];
  const child = spawn(bound[0], [...bound.slice(1), ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.on('data', (data) => log.push(data));
  return child;
}

async function stopAll(children) {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await Promise.all(
    children.map((child) => child.exitCode === null && child.signalCode === null && once(child, 'exit')),
  );
}

/** @returns {Promise<{ env: Record<string, string>, stop: () => Promise<void> }>} the endpoint and credentials for tests */
export async function startSwift() {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-swift-'));
  const children = [];
  const stop = async () => {
    await stopAll(children);
    rmSync(folder, REMOVAL);
  };
  try {
    mkdirSync(join(folder, 'devices', 'd1'), { recursive: true });
    const [proxyPort, memcached, ...ports] = await freePorts(5);
    const kinds = ['account', 'container', 'object'];
    makeRings(folder, Object.fromEntries(kinds.map((kind, place) => [kind, ports[place]])));
    for (const [place, kind] of kinds.entries()) {
      writeFileSync(join(folder, `${kind}.conf`), backend(folder, ports[place], kind));
    }
    writeFileSync(join(folder, 'proxy.conf'), proxy(folder, proxyPort, memcached));
    const log = [];
    children.push(
      start('/usr/bin/memcached', ['-l', '127.0.0.1', '-p', `${memcached}`, '-U', '0', '-u', userInfo().username], log),
    );
    for (const kind of [...kinds, 'proxy']) {
      children.push(start(`/usr/bin/swift-${kind}-server`, [join(folder, `${kind}.conf`)], log));
    }
    await answered(proxyPort, children, log);
    const env = {
      GALLERY_TEST_S3_ENDPOINT: `http://127.0.0.1:${proxyPort}`,
      GALLERY_TEST_S3_KEY: 'gallery:owner the-secret-of-the-owner',
      GALLERY_TEST_S3_STRANGER: 'gallery:stranger the-secret-of-a-stranger',
    };
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until all five answer, with the account's first call. */
async function answered(port, children, log) {
  const end = Date.now() + patience;
  for (;;) {
    const ended = children.find((child) => child.exitCode !== null || child.signalCode !== null);
    if (ended || Date.now() > end) throw new Error(`Swift did not start: ${Buffer.concat(log)}`);
    const { status } = await ask(port).catch(() => ({}));
    if (status !== undefined && status < 300) return;
    await wait(100);
  }
}

async function ask(port) {
  const auth = await fetch(`http://127.0.0.1:${port}/auth/v1.0`, {
    headers: { 'x-auth-user': 'gallery:owner', 'x-auth-key': 'the-secret-of-the-owner' },
  });
  const [url, token] = [auth.headers.get('x-storage-url'), auth.headers.get('x-auth-token')];
  return url ? fetch(url, { headers: { 'x-auth-token': token } }) : auth;
}
