import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../testing/postgres/embedded.ts';
import { makeCertificate, withoutOpenssl } from '../testing/postgres/lossy-database.ts';
import { parseDatabaseUrl } from './address.ts';
import { openClient } from './client.ts';
import { codeOf } from './start-error.ts';

const fields = 'SFATAL\0C28000\0Mthe handshake is complete\0\0';
const refusal = Buffer.concat([Buffer.from('E'), Buffer.from([0, 0, 0, 4 + fields.length]), Buffer.from(fields)]);

/** Accepts TLS, then refuses each login; a client sends its login once it accepts the certificate. */
async function tlsServer(t: Test, { certPath, keyPath }: { certPath: string; keyPath: string }): Promise<number> {
  const [cert, key] = [readFileSync(certPath), readFileSync(keyPath)];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, cert, key });
      secure.on('error', () => {});
      secure.once('data', () => secure.end(refusal));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

t.test('sslmode=require verifies the server if a root certificate is set', { skip: withoutOpenssl }, async (t) => {
  const folder = temporaryFolder(t);
  const [own, other] = [makeCertificate(folder, 'database.internal'), makeCertificate(folder, 'another')];
  const port = await tlsServer(t, own);
  const outcome = async (parameters: string) => {
    const sql = openClient(parseDatabaseUrl(`postgres://ann@127.0.0.1:${port}/x?${parameters}`), { max: 1 });
    const failure = await sql`select 1`.catch((error: unknown) => error);
    await sql.end({ timeout: 1 });
    return codeOf(failure);
  };
  t.equal(await outcome('sslmode=require'), '28000', 'without a root certificate, any server certificate is accepted');
  t.equal(await outcome(`sslmode=require&sslrootcert=${own.certPath}`), '28000', 'the right issuer');
  t.match(await outcome(`sslmode=require&sslrootcert=${other.certPath}`), /CERT/, 'another issuer');
});
