import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../address.ts';
import { openClient } from '../client.ts';
import { DATABASE, ROLE } from '../ownership.ts';
import { codeOf, DatabaseStartError, messageOf } from '../start-error.ts';
import { ownerOf } from './owner-lock.ts';
import { readPassword } from './password.ts';
import { readPidFile } from './processes.ts';

/** Milliseconds that a server may take until its Postgres answers: it may be starting, or starting it again. */
const START_BOUND = 60_000;
/** And until it lets the server's role in. */
const REFUSAL_BOUND = 5_000;

/**
 * Where the embedded Postgres of a living server answers, for a client beside that server; nothing where no server
 * lives.
 * @param folder as given to startEmbeddedPostgres
 * @throws DatabaseStartError where a server lives and its Postgres does not answer
 */
export async function runningEmbeddedPostgres(folder: string): Promise<Address | undefined> {
  if (!existsSync(folder)) return undefined;
  const place = realpathSync(folder);
  const begun = Date.now();
  for (;;) {
    const holder = await ownerOf(place);
    if (!holder.alive || holder.role === 'command') return undefined;
    const address = addressIn(place);
    const { failure, isRefused }: Answer = address ? await ask(address) : { failure: 'it has not started yet' };
    if (address && failure === undefined) return address;
    const waited = Date.now() - begun;
    // A starting server may not have stopped the Postgres yet that one of an earlier version left behind.
    if (isRefused && waited > REFUSAL_BOUND) throw startedByEarlierVersion(place);
    if (waited > START_BOUND) {
      throw new DatabaseStartError(
        `The server${holder.pid ? ` (pid ${holder.pid})` : ''} that uses the database in ${place} lives, but its ` +
          `Postgres does not answer: ${failure}.`,
      );
    }
    await sleep(100);
  }
}

/** From what a starting Postgres writes down: its socket may stand elsewhere, where the folder's path is too long. */
function addressIn(folder: string): Address | undefined {
  const file = readPidFile(join(folder, 'cluster'));
  if (file === undefined || file === 'empty') return undefined;
  // In single-user mode it has no socket.
  if (process.platform !== 'win32' && file.socketFolder === '') return undefined;
  const password = readPassword(folder) ?? '';
  const host = process.platform === 'win32' ? '127.0.0.1' : file.socketFolder;
  return { host, port: file.port, user: ROLE, password, database: DATABASE };
}

type Answer = {
  /** Why it does not answer. */
  failure?: string;
  /** Whether the role is not let in. */
  isRefused?: boolean;
};

async function ask(address: Address): Promise<Answer> {
  const sql = openClient(address, { max: 1 }, 5000);
  try {
    await sql`select 1`;
    return {};
  } catch (error) {
    return { failure: messageOf(error), isRefused: /^28/.test(codeOf(error) ?? '') };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A server of this version writes the password down before its Postgres serves, and lets that one role log in. */
const startedByEarlierVersion = (folder: string) =>
  new DatabaseStartError(
    `The server that uses the database in ${folder} was started by an earlier version of this program: restart it, ` +
      'then run this again.',
  );
