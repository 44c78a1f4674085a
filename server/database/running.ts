import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from './address.ts';
import { openClient } from './client.ts';
import { readPassword, USER } from './cluster.ts';
import { ownerOf } from './owner-lock.ts';
import { readPidFile } from './processes.ts';
import { DatabaseStartError, messageOf } from './start-error.ts';

/** Milliseconds that a server may take until its Postgres answers: it may be starting, or starting it again. */
const START_BOUND = 60_000;

/**
 * Where the embedded Postgres of a living server answers, for a client beside that server; nothing where no server
 * lives.
 * @param folder as given to startEmbeddedPostgres
 * @throws DatabaseStartError where a server lives and its Postgres does not answer
 */
export async function runningEmbeddedPostgres(folder: string): Promise<Address | undefined> {
  if (!existsSync(folder)) return undefined;
  const place = realpathSync(folder);
  const end = Date.now() + START_BOUND;
  for (;;) {
    const holder = await ownerOf(place);
    if (!holder.alive || holder.role === 'command') return undefined;
    const address = addressIn(place);
    const failure = address === undefined ? 'it has not started yet' : await silenceOf(address);
    if (address && failure === undefined) return address;
    if (Date.now() > end) {
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
  const common = { port: file.port, user: USER, database: 'postgres' };
  if (process.platform === 'win32') return { host: '127.0.0.1', password: readPassword(folder) ?? '', ...common };
  return file.socketFolder === '' ? undefined : { host: file.socketFolder, ...common };
}

/** Why it does not answer, or nothing when it does. */
async function silenceOf(address: Address): Promise<string | undefined> {
  const sql = openClient(address, { max: 1 }, 5000);
  try {
    await sql`select 1`;
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
