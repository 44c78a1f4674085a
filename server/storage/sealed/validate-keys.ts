import { buffer } from 'node:stream/consumers';
import { ConfigError } from '../../config/reading.ts';
import { adminCommand } from '../../lib/admin-command.ts';
import type { Storage } from '../storage.ts';
import { asDamage, isDamage } from './damage.ts';
import { HEADER_SIZE, isSealed, openHeader } from './header.ts';
import { type Keyring, withoutKeys } from './keyring.ts';

const listed = (ids: readonly string[]) => `${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(' and ')}`;

/** @param known ids of keys that may have sealed something @throws ConfigError, one line, if one is not configured */
export function ensureKeys(known: readonly string[], keyring: Keyring | undefined): void {
  const missing = known.filter((id) => !keyring?.find(id));
  if (missing.length === 0) return;
  const given = keyring && keyring.ids.length > 0 ? `what is given is ${listed(keyring.ids)}` : 'none is given';
  const without = missing.map((id) => `--without ${id}`).join(' ');
  throw new ConfigError(
    `ENCRYPTION_KEY: set ${listed(missing)} as ENCRYPTION_KEY, or as ENCRYPTION_KEY_PREVIOUS beside a newer one: stored pictures ` +
      `may be sealed by it, and ${given}. Only if it has sealed nothing, or is lost for good: "${adminCommand(`rotate-key ${without}`)}", ` +
      'which first looks at all that is stored. Nothing was changed.',
  );
}

/**
 * A database restored from before its key lists no keys, but this original shows that one is needed.
 * @param key of an original with a row; the keys of orphaned originals may be lost
 * @returns whether it is stored plain
 * @throws ConfigError, one line
 */
export async function ensureOneOpens(key: string, { read, sealing }: Storage): Promise<boolean> {
  try {
    if (sealing) return (await sealing.look(key)) === 'plain';
    await lookPlainly(key, read);
    return false;
  } catch (error) {
    // Other damage to one original does not stop the start.
    if (!isDamage(error) || error.code !== 'ENOKEY') return false;
    throw new ConfigError(
      `ENCRYPTION_KEY: set the missing key as ENCRYPTION_KEY, or as ENCRYPTION_KEY_PREVIOUS beside a newer one: ${error.message}. ` +
        'The database does not list that key: was it restored from a backup older than the key? Nothing was changed.',
    );
  }
}

async function lookPlainly(key: string, read: Storage['read']): Promise<void> {
  const stream = await read(key, { start: 0, end: HEADER_SIZE - 1 });
  const header = stream && (await buffer(stream));
  if (!header || !isSealed(header)) return;
  try {
    openHeader(header, key, withoutKeys);
  } catch (error) {
    throw asDamage(key, error);
  }
}
