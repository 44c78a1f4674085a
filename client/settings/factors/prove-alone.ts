import type { Factors } from '../../../server/contract.ts';
import { prove, readFactors, requestPasskeyProof } from '../../api/account/factors.ts';
import { startProviderProof } from '../../api/provider/identities.ts';
import { answerPasskey, hasPasskeys } from '../../lib/webauthn.ts';
import { leaveFor } from './proof-page.ts';

/**
 * Confirms the owner of an account without a password: by a login at the provider that has just taken place, by a passkey, or
 * by a new login there, for which the browser leaves the page.
 * @returns the proof @throws ApiError; the browser's error
 */
export async function proveAlone(): Promise<string> {
  const factors: Factors = await readFactors(new AbortController().signal);
  const { passkeys, passkey_obstacle: obstacle, provider_proof: atProvider } = factors;
  if (atProvider === 'recent') return prove({});
  const byPasskey = passkeys.length > 0 && obstacle === null && hasPasskeys();
  if (byPasskey) return prove({ passkey: await answerPasskey(await requestPasskeyProof()) });
  if (atProvider !== 'login') return prove({});
  await leaveFor(await startProviderProof());
  throw new DOMException('the person came back without a login', 'AbortError');
}
