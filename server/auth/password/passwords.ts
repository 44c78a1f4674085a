/** argon2id with OWASP's parameters (Password Storage Cheat Sheet: m=19456 KiB, t=2, p=1). */
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { serverBusy } from '../../errors.ts';
import { clientKey } from '../../http/limits/address.ts';
import { createKeyedLimit } from '../../lib/keyed-mutex.ts';
import { normal } from '../account-names.ts';

// The value of Algorithm.Argon2id, which the package declares as a const enum.
const argon2id = 2;
const parameters = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes share libuv's four threads with the file system; two at once leave it room. */
const inTurn = pLimit(2);

/** A few seconds of work. Further callers are refused with a time to retry, instead of waiting ever longer. */
const longestQueue = 256;
/** For one address among them. */
const mostOfAddress = longestQueue / 4;
const ofAddress = createKeyedLimit(mostOfAddress);

/** @param ip of a caller without a login; those of accounts are bounded by their turns @throws ServerBusy */
async function queued<T>(work: () => Promise<T>, ip?: string): Promise<T> {
  if (inTurn.pendingCount >= longestQueue) throw serverBusy(5);
  if (ip === undefined) return inTurn(work);
  const key = clientKey(ip);
  if (ofAddress.inside(key) >= mostOfAddress) throw serverBusy(5);
  return ofAddress(key, () => inTurn(work));
}

/** Composed, so that a password from another keyboard compares equal. */
const canonical = (password: string) => normal(password, 'NFC');

/** @throws ServerBusy */
export function hashPassword(password: string, ip?: string): Promise<string> {
  return queued(() => hash(canonical(password), parameters), ip);
}

const decoy = hashPassword('nobody has this password');

/** Takes the same time without a stored hash, so that the time does not show who is registered. @throws ServerBusy */
export async function passwordMatches(
  password: string,
  storedHash: string | null | undefined,
  ip?: string,
): Promise<boolean> {
  const against = storedHash ?? (await decoy);
  const matches = await queued(() => verify(against, canonical(password)), ip);
  return storedHash != null && matches;
}
