/** Exclusive lock for commands that rewrite stored objects: two at once would undo each other's work. */
import type { Address } from '../../database/address.ts';
import { openClient } from '../../database/client.ts';
import { CommandFailed } from './console/failures.ts';

/** Must differ from every other lock number of the program. */
const LOCK = 7_346_204;

const busy =
  'Another "encrypt", "rotate-key" or "storage copy" is at the stored files: run this again when it has ended. Nothing was changed.';
const lost =
  'The connection to the database was lost, and with it the lock against other commands. Run the same again: it continues where it stopped.';

/** Holds the lock on a separate connection, so it ends with the command. @throws CommandFailed if taken or lost */
export async function withExclusiveLock<T>(address: Address, work: () => Promise<T>): Promise<T> {
  let onclose = () => {};
  const ending = new Promise<never>((_, reject) => {
    onclose = () => reject(new CommandFailed(lost));
  });
  ending.catch(() => undefined);
  const own = openClient(address, {
    max: 1,
    max_lifetime: null,
    onclose: () => onclose(),
    connection: {
      ...address.parameters,
      application_name: 'gallery command',
      // The connection is idle while the work runs.
      idle_session_timeout: 0,
      tcp_keepalives_idle: '60',
      tcp_keepalives_interval: '15',
      tcp_keepalives_count: '4',
    },
  });
  try {
    const [row] = await own`select pg_try_advisory_lock(${LOCK}) as taken`;
    if (row?.taken !== true) throw new CommandFailed(busy);
    return await Promise.race([work(), ending]);
  } finally {
    await own.end({ timeout: 1 });
  }
}
