/** What a link offers to a person who logs in by the provider: an invitation, or the claim of the first administrator. */
import type { UserRow } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { InviteForOther, InviteNotAccepted } from '../../errors.ts';
import { hashToken } from '../../mail/token.ts';
import { findInvite, takeInvite } from '../invites/queries.ts';
import { claim, isClaim } from '../roles/queries.ts';
import { ProviderProblem } from './problem.ts';

/** Kept with the login while the person is at the provider. The secret of the link is in no address, and not stored. */
export type Offer = { kind: 'invite' | 'claim'; secretHash: string };

/** @returns undefined if the link cannot be used */
export async function readOffer(
  db: Database,
  config: Pick<Config, 'registration' | 'setupToken'>,
  secret: string,
): Promise<Offer | undefined> {
  const secretHash = hashToken(secret);
  if (await isClaim(db, config, secret)) return { kind: 'claim', secretHash };
  const isUsable = config.registration !== 'closed' && (await findInvite(db, secret)) !== undefined;
  return isUsable ? { kind: 'invite', secretHash } : undefined;
}

type Terms = Partial<Pick<UserRow, 'quotaImages' | 'quotaBytes'>>;

/**
 * Counts a use of the invitation, in the transaction that creates the account.
 * @returns what the account gets, and what the audit log notes @throws ProviderProblem
 */
export async function termsOf(
  tx: Transaction,
  offer: Offer | undefined,
  email: string,
): Promise<{ terms: Terms; details: { by: string; invite?: string } }> {
  if (offer?.kind !== 'invite') return { terms: {}, details: { by: offer ? 'claim' : 'provider' } };
  try {
    const { name, quotaImages, quotaBytes } = await takeInvite(tx, offer.secretHash, email);
    return { terms: { quotaImages, quotaBytes }, details: { by: 'invite', invite: name } };
  } catch (error) {
    if (error instanceof InviteForOther) {
      throw new ProviderProblem('invite-for-other', 'the invitation is for another email', { email });
    }
    if (!(error instanceof InviteNotAccepted)) throw error;
    throw new ProviderProblem('invite-ended', 'the invitation was used, ended or has expired meanwhile', { email });
  }
}

/** Makes the account the first administrator if the link offers that. @returns the account as it is then @throws ProviderProblem */
export async function claimOffered(
  tx: Transaction,
  config: Pick<Config, 'setupToken'>,
  { offer, user }: { offer: Offer | undefined; user: UserRow },
): Promise<UserRow> {
  if (offer?.kind !== 'claim' || user.role === 'admin') return user;
  if (await claim(tx, config, { userId: user.id, tokenHash: offer.secretHash })) return { ...user, role: 'admin' };
  throw new ProviderProblem('claim-ended', 'the claim was used meanwhile, or there is an administrator', {
    email: user.email,
  });
}
