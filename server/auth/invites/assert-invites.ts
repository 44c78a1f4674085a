import type { Config } from '../../config/config.ts';
import { InvalidRequest, InvitesClosed } from '../../errors.ts';

/** Before an invitation that nobody could use is created and mailed. @throws InvitesClosed, InvalidRequest */
export function assertInvite(
  { registration }: Pick<Config, 'registration'>,
  { email, maxUses }: { email: string | null; maxUses: number },
): void {
  if (registration === 'closed') throw new InvitesClosed();
  if (email !== null && maxUses > 1) {
    throw new InvalidRequest('An invitation for one email creates one account. Set its uses to 1, or omit the email.');
  }
}
