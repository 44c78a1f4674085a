import type { Factors } from '../../../server/contract.ts';
import { prove, readFactors, requestPasskeyProof } from '../../api/factors.ts';
import { answerPasskey, hasPasskeys } from '../../lib/webauthn.ts';

/**
 * Confirms the owner of an account without a password: by a passkey, or by a login at the provider that has just taken place.
 * @returns the proof @throws ApiError; the browser's error
 */
export async function proveAlone(): Promise<string> {
  const { passkeys, passkey_obstacle: obstacle }: Factors = await readFactors(new AbortController().signal);
  const byPasskey = passkeys.length > 0 && obstacle === null && hasPasskeys();
  return prove(byPasskey ? { passkey: await answerPasskey(await requestPasskeyProof()) } : {});
}
