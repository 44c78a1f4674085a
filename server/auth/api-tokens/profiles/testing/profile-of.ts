import type { CreatedApiToken, NewApiToken } from '../../../../contract.ts';
import type { TestAccount } from '../../../../testing/account.ts';
import type { Profile } from '../profile.ts';

export type MadeProfile = Profile & { id: string; secret: string };

/** Creates a token that can upload, and returns its profile. `origin`: of the listening server */
export async function profileOf(
  origin: string,
  { bearer }: TestAccount,
  more: Partial<NewApiToken> & Pick<NewApiToken, 'profile'>,
): Promise<MadeProfile> {
  const answer = await fetch(`${origin}/api/account/tokens`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a program', scopes: ['images:upload'], ...more }),
  });
  const { token, secret, profile } = (await answer.json()) as CreatedApiToken;
  if (!profile) throw new Error(`no profile: ${answer.status}`);
  return { ...profile, id: token.id, secret };
}
