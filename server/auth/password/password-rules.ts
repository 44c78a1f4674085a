/** Refuses passwords that are easy to guess (ASVS 5.0, 6.2.4 and 6.2.11). Applies to new passwords, not to logins. */

import { CommonPassword, PasswordIsName } from '../../errors.ts';
import { foldCase } from '../../lib/fold.ts';
import { normal } from '../account-names.ts';
import { hashPassword } from './passwords.ts';

type OwnNames = { username: string; email: string };

const fold = (text: string) => foldCase(normal(text, 'NFKC'));
/** Only letters and digits: `Amira.K` and `amirak` are one guess. */
const bare = (text: string) => fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** @throws CommonPassword, PasswordIsName */
async function refuseWeak(password: string, { username, email }: OwnNames): Promise<void> {
  const names = [username, email, email.split('@', 1)[0] ?? ''].map(bare);
  const guess = bare(password);
  if (guess !== '' && names.includes(guess)) throw new PasswordIsName();
  // Loaded on demand: most processes never set a password.
  const { commonPasswords } = await import('./common-passwords.ts');
  if (commonPasswords.has(fold(password))) throw new CommonPassword();
}

/** @param names of its account @param ip of a caller without a login @throws CommonPassword, PasswordIsName, ServerBusy */
export async function hashNewPassword(password: string, names: OwnNames, ip?: string): Promise<string> {
  await refuseWeak(password, names);
  return hashPassword(password, ip);
}
