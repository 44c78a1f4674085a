/** Who may register, and what their account gets: by REGISTRATION, an invitation, or the claim of the first administrator. */
import type { UserRow } from '../../drizzle/schema.ts';
import type { Config } from '../config/config.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { ClaimNotAccepted, InviteNeeded, InviteNotAccepted, RegistrationClosed } from '../errors.ts';
import { hashToken } from '../mail/token.ts';
import { findInvite, takeInvite } from './invites/queries.ts';
import { insertUser } from './queries.ts';
import { claim, isClaim } from './roles/queries.ts';

type Mode = Pick<Config, 'registration' | 'setupToken'>;
type Proof = { invite?: string | undefined; claim?: string | undefined };
type Registered = { user: UserRow; details: { by: string; invite?: string } };

/**
 * Before the password is hashed, so that a guess costs little.
 * @throws RegistrationClosed, InviteNeeded, InviteNotAccepted, ClaimNotAccepted
 */
export async function assertMayRegister(db: Database, config: Mode, proof: Proof): Promise<void> {
  const { registration } = config;
  if (proof.claim !== undefined) {
    if (!(await isClaim(db, config, proof.claim))) throw new ClaimNotAccepted();
    return;
  }
  if (registration === 'closed') throw new RegistrationClosed();
  if (proof.invite !== undefined && !(await findInvite(db, proof.invite))) throw new InviteNotAccepted();
  if (proof.invite === undefined && registration === 'invite') throw new InviteNeeded();
}

/**
 * Creates the account, and uses up its proof.
 * @throws UsernameTaken, EmailTaken, InviteNotAccepted, InviteForOther, ClaimNotAccepted
 */
export async function register(
  tx: Transaction,
  config: Mode,
  account: Pick<UserRow, 'username' | 'email' | 'passwordHash'>,
  { invite: secret, claim: token }: Proof,
): Promise<Registered> {
  const { registration } = config;
  if (token !== undefined) {
    const user = await insertUser(tx, account);
    if (!(await claim(tx, config, { userId: user.id, tokenHash: hashToken(token) }))) throw new ClaimNotAccepted();
    return { user: { ...user, role: 'admin' as const }, details: { by: 'claim' } };
  }
  if (secret !== undefined) {
    const { name, quotaImages, quotaBytes } = await takeInvite(tx, hashToken(secret), account.email);
    return {
      user: await insertUser(tx, { ...account, quotaImages, quotaBytes }),
      details: { by: 'invite', invite: name },
    };
  }
  const user = await insertUser(tx, { ...account, isPending: registration === 'approval' });
  return { user, details: { by: registration } };
}
