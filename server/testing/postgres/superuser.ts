/** The superuser of an embedded database, for tests that create databases and roles; the server has no such access. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from '../../database/address.ts';
import { openClient } from '../../database/client.ts';
import { findBinaries } from '../../database/embedded/binaries.ts';
import { signal } from '../../database/embedded/postmaster.ts';
import { readPidFile } from '../../database/embedded/processes.ts';
import { eventually } from '../eventually.ts';

/**
 * Lets the superuser of a running embedded database log in without a password, and other roles with theirs, until its next
 * start.
 * @param folder as given to startEmbeddedPostgres
 */
export async function letSuperuserIn(folder: string, { host, port }: Address): Promise<Address> {
  const cluster = join(folder, 'cluster');
  const rule = (user: string, method: string) =>
    host.startsWith('/') ? `local all ${user} ${method}\n` : `host all ${user} 127.0.0.1/32 ${method}\n`;
  appendFileSync(join(cluster, 'pg_hba.conf'), rule('postgres', 'trust') + rule('all', 'scram-sha-256'));
  const file = readPidFile(cluster);
  if (file === undefined || file === 'empty') throw new Error(`no Postgres runs in ${folder}`);
  await signal(file.pid, 'SIGHUP', await findBinaries());
  const address = { host, port, user: 'postgres', database: 'postgres' };
  // Postgres reloads its rules asynchronously after the signal.
  await eventually('the superuser logs in', async () => {
    const sql = openClient(address, { max: 1 });
    try {
      return await sql`select 1`.catch(() => undefined);
    } finally {
      await sql.end({ timeout: 1 });
    }
  });
  return address;
}
