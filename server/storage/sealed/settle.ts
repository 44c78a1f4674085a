/** Whether the keys that are given open what this installation stores: decided at the start, before anything is read. */
import { ConfigError } from '../../config.ts';
import type { Keyring } from './keyring.ts';

const listed = (ids: readonly string[]) => `${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(' and ')}`;

/**
 * @param known the keys by which something may be sealed
 * @returns them, and the present key: from the first byte on that it may seal, no server starts without it
 * @throws ConfigError, one line, where one of them is not given
 */
export function settleKeys(known: readonly string[], keyring: Keyring | undefined): readonly string[] {
  const missing = known.filter((id) => !keyring?.find(id));
  if (missing.length > 0) {
    const given = keyring ? `what is given is ${listed(keyring.ids)}` : 'none is given';
    throw new ConfigError(
      `ENCRYPTION_KEY: what this installation stores may be sealed by ${listed(missing)}, and ${given}. ` +
        `Without its key nothing sealed can be opened. Set it as ENCRYPTION_KEY, or as ENCRYPTION_KEY_PREVIOUS beside ` +
        'a newer one. Nothing was changed.',
    );
  }
  const present = keyring?.present?.id;
  return present === undefined || known.includes(present) ? known : [...known, present];
}
