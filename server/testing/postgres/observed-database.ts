/** A TCP proxy in front of the test's Postgres that records the statements of all clients. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Test } from 'tap';
import { databaseUrl, parseDatabaseUrl } from '../../database/address.ts';
import { createTestDatabase } from './database.ts';

/** Parses a client's messages (protocol-message-formats) into statement texts. */
function createReader(tell: (statement: string) => void) {
  let waiting = Buffer.alloc(0);
  let hasBegun = false;
  const textAt = (bytes: Buffer, at: number) => bytes.toString('utf8', at, bytes.indexOf(0, at));
  return (chunk: Buffer): void => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      // The first message has no type byte.
      const head = hasBegun ? 1 : 0;
      if (waiting.length < head + 4) return;
      const length = head + waiting.readInt32BE(head);
      if (waiting.length < length) return;
      const message = waiting.subarray(0, length);
      const kind = hasBegun ? String.fromCharCode(message[0] ?? 0) : '';
      // Parse: the statement follows its name.
      if (kind === 'Q') tell(textAt(message, 5));
      else if (kind === 'P') tell(textAt(message, message.indexOf(0, 5) + 1));
      hasBegun = true;
      waiting = waiting.subarray(length);
    }
  };
}

type Observed = {
  url: string;
  /** URL of the same database, unobserved. */
  direct: string;
  statements: ReadonlySet<string>;
};

export async function createObservedDatabase(t: Test): Promise<Observed> {
  const { url: direct } = await createTestDatabase(t);
  const address = parseDatabaseUrl(direct);
  const { host, port } = address;
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const statements = new Set<string>();
  const proxy = createServer((client) => {
    const server = connect(target as { path: string });
    const read = createReader((statement) => statements.add(statement));
    client.on('data', (chunk) => {
      read(chunk);
      server.write(chunk);
    });
    server.on('data', (chunk) => client.write(chunk));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('close', () => other.destroy()).on('error', () => undefined);
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => proxy.close());
  const { port: own } = proxy.address() as AddressInfo;
  return { url: databaseUrl({ ...address, host: '127.0.0.1', port: own }), direct, statements };
}
