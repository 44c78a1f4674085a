/** A proxy to a separate test database, with or without TLS, that loses connections on demand. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Test } from 'tap';
import { type Address, parseDatabaseUrl } from '../../database/address.ts';
import { createTestDatabase } from './database.ts';

export const withoutOpenssl = spawnSync('openssl', ['version']).error ? 'openssl is not installed' : false;

/** The end of an answer outside of transactions. */
const READY = Buffer.from('Z\0\0\0\x05I');

/** A self-signed certificate. */
export function makeCertificate(folder: string, name: string): { certPath: string; keyPath: string } {
  const [certPath, keyPath] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const args = ['-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', keyPath, '-out', certPath];
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...args], { stdio: 'ignore' });
  return { certPath, keyPath };
}

type Keys = { cert: Buffer; key: Buffer };
let made: Keys | undefined;

/** One certificate for all proxies of the process: making a key takes longer than most tests need it. */
function proxyKeys(): Keys {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'gallery-certificate-'));
  const { certPath, keyPath } = makeCertificate(folder, 'database.internal');
  made = { cert: readFileSync(certPath), key: readFileSync(keyPath) };
  rmSync(folder, { recursive: true });
  return made;
}

/** @returns the client's TLS connection, once it has requested one */
async function secure(client: Socket, tls: Keys): Promise<Duplex> {
  await once(client, 'data');
  client.write('S');
  return new TLSSocket(client, { isServer: true, ...tls }).on('error', () => undefined);
}

export type LossyDatabase = {
  /** Through the proxy. */
  address: Address;
  /** URL of the same database, past the proxy. */
  direct: string;
  /** What clients have sent since the last call. */
  sent(): string;
  /** Closes all connections. */
  cut(): void;
  /** Answers each new connection with these bytes and closes it; undefined forwards connections again. */
  answerWith(bytes: Buffer | undefined): void;
  /** Closes a connection after it has sent the client so many more bytes. */
  cutAfter(bytes: number): void;
  /** Closes a connection with the end of the next answer. */
  closeAfterAnswer(): void;
};

export async function createLossyDatabase(t: Test, { tls = false } = {}): Promise<LossyDatabase> {
  const { url: direct } = await createTestDatabase(t);
  const address = parseDatabaseUrl(direct);
  const target = address.host.startsWith('/')
    ? { path: `${address.host}/.s.PGSQL.${address.port}` }
    : { host: address.host, port: address.port };
  const open = new Set<Socket>();
  let sent = '';
  let answer: Buffer | undefined;
  let left = Number.POSITIVE_INFINITY;
  let isLastAnswer = false;
  const keys = tls ? proxyKeys() : undefined;

  const proxy = createServer(async (socket) => {
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    open.add(socket);
    const client = keys ? await secure(socket, keys).catch(() => undefined) : socket;
    if (!client) return;
    const bytes = answer;
    if (bytes) return client.once('data', () => client.end(bytes));
    const server = openSocket(target as { path: string }).on('error', () => undefined);
    client.on('data', (data: Buffer) => {
      sent += data.toString('latin1');
      server.write(data);
    });
    server.on('data', (data: Buffer) => {
      if (data.length > left || (isLastAnswer && data.subarray(-6).equals(READY))) {
        client.end(data.subarray(0, left));
        server.destroy();
        left = Number.POSITIVE_INFINITY;
        isLastAnswer = false;
      } else {
        client.write(data);
        left -= data.length;
      }
    });
    socket.on('close', () => server.destroy());
    server.on('close', () => client.end());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;

  return {
    address: { ...address, host: '127.0.0.1', port, ssl: tls ? 'require' : false },
    direct,
    sent() {
      const text = sent;
      sent = '';
      return text;
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
    answerWith(bytes) {
      answer = bytes;
    },
    cutAfter(bytes) {
      left = bytes;
    },
    closeAfterAnswer() {
      isLastAnswer = true;
    },
  };
}
