import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../address.ts';
import { openClient } from '../client.ts';
import { codeOf, DatabaseStartError, messageOf } from '../start-error.ts';
import { holderOf } from './owner-lock.ts';
import { readPassword } from './password.ts';
import { readPidFile } from './processes.ts';
import { DATABASE, ROLE } from './role-statement.ts';

/** Milliseconds until a server's Postgres must respond: it may be starting or restarting. */
const START_TIMEOUT = 60_000;
/** Milliseconds until it must accept the server's role. */
const REFUSAL_TIMEOUT = 5_000;

/**
 * The address of a running server's embedded Postgres, for another process on the same machine; undefined if no server
 * runs.
 * @param folder as passed to startEmbeddedPostgres
 * @throws DatabaseStartError if a server runs and its Postgres does not respond
 */
export async function findRunningPostgres(folder: string): Promise<Address | undefined> {
  if (!existsSync(folder)) return undefined;
  const realFolder = realpathSync(folder);
  const begun = Date.now();
  for (;;) {
    const holder = await holderOf(realFolder);
    if (!holder.alive || holder.role === 'command') return undefined;
    const address = addressIn(realFolder);
    const { failure, isRefused }: Probe = address ? await probe(address) : { failure: 'it has not started yet' };
    if (address && failure === undefined) return address;
    const waited = Date.now() - begun;
    // A starting server may not have stopped an orphaned Postgres of an earlier version yet.
    if (isRefused && waited > REFUSAL_TIMEOUT) throw startedByEarlierVersion(realFolder);
    if (waited > START_TIMEOUT) {
      throw new DatabaseStartError(
        `The server${holder.pid ? ` (pid ${holder.pid})` : ''} that uses the database in ${realFolder} is running, but its ` +
          `Postgres does not respond: ${failure}.`,
      );
    }
    await sleep(100);
  }
}

/** Read from postmaster.pid: the socket may be elsewhere if the folder's path is too long. */
function addressIn(folder: string): Address | undefined {
  const file = readPidFile(join(folder, 'cluster'));
  if (file === undefined || file === 'empty') return undefined;
  // In single-user mode it has no socket.
  if (process.platform !== 'win32' && file.socketFolder === '') return undefined;
  const password = readPassword(folder) ?? '';
  const host = process.platform === 'win32' ? '127.0.0.1' : file.socketFolder;
  return { host, port: file.port, user: ROLE, password, database: DATABASE };
}

type Probe = {
  failure?: string;
  isRefused?: boolean;
};

async function probe(address: Address): Promise<Probe> {
  const sql = openClient(address, { max: 1 }, { responseTimeout: 5000 });
  try {
    await sql`select 1`;
    return {};
  } catch (error) {
    return { failure: messageOf(error), isRefused: /^28/.test(codeOf(error) ?? '') };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A server of this version stores the password before its Postgres serves, and lets only that role log in. */
const startedByEarlierVersion = (folder: string) =>
  new DatabaseStartError(
    `The server that uses the database in ${folder} was started by an earlier version of this program: restart it, ` +
      'then run this again.',
  );
