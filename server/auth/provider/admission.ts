/** From a person whom the provider has identified to an account here. Accounts are found by issuer and subject alone. */
import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../../../drizzle/schema.ts';
import { actorOf, note } from '../../audit/note.ts';
import type { Database } from '../../database/connect.ts';
import { EmailTaken, LastAdmin, UsernameTaken } from '../../errors.ts';
import { setQuota, setRole } from '../roles/queries.ts';
import { emailOf, labelOf, numbered, quotaOf, roleOf, usernameOf } from './claims.ts';
import { ProviderProblem } from './problem.ts';
import type { Identified } from './provider-client.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { findByIdentity, insertProviderUser, isIdentityTaken, type NewIdentity } from './queries.ts';

export type Admitted = { user: UserRow; identityId: string };

export const identityOf = ({ issuer, subject, claims }: Identified): NewIdentity => ({
  issuer,
  subject,
  label: labelOf(claims, subject),
});

const mostNames = 12;

/** @throws ProviderProblem */
async function createAccount(
  db: Database,
  request: FastifyRequest,
  { person: { claims }, identity }: { person: Identified; identity: NewIdentity },
): Promise<Admitted> {
  const [username, email] = [usernameOf(claims), emailOf(claims)];
  for (let round = 0; round < mostNames; round += 1) {
    try {
      return await db.transaction(async (tx) => {
        const made = await insertProviderUser(tx, { username: numbered(username, round), email }, identity);
        const actor = actorOf(request, made.user);
        await note(tx, { action: 'account.registered', actor, details: { by: 'provider' } });
        return made;
      });
    } catch (error) {
      if (error instanceof UsernameTaken) continue;
      // Two logins at once: the first one's account is this person's.
      const [isKnown, isTaken] = [isIdentityTaken(error), error instanceof EmailTaken];
      const admitted = isKnown || isTaken ? await findByIdentity(db, identity) : undefined;
      if (admitted) return admitted;
      if (isTaken) throw new ProviderProblem('email-taken', 'another account has the email of a new identity');
      throw error;
    }
  }
  throw new ProviderProblem('refused', 'no username is free');
}

/** The claims decide at each login. The last administrator stays one. */
async function applyClaims(
  db: Database,
  request: FastifyRequest,
  { user, claims, settings }: { user: UserRow; claims: Identified['claims']; settings: ProviderSettings },
): Promise<void> {
  const actor = actorOf(request, user);
  const quota = quotaOf(claims, settings);
  if (quota === 'unreadable')
    request.log.warn({ account: user.id }, 'the quota in the claims of the provider is no size');
  else if (quota !== undefined && quota !== user.quotaBytes) {
    await db.transaction(async (tx) => {
      await setQuota(tx, user.id, { quotaBytes: quota });
      await note(tx, { action: 'account.quota', actor, details: { by: 'provider', bytes: quota } });
    });
  }
  const role = roleOf(claims, settings);
  if (role === undefined || role === user.role) return;
  try {
    await db.transaction(async (tx) => {
      await setRole(tx, user.id, role);
      await note(tx, { action: 'account.role', actor, details: { by: 'provider', role } });
    });
  } catch (error) {
    if (!(error instanceof LastAdmin)) throw error;
    request.log.warn({ account: user.id }, 'the last administrator keeps the role, though the provider withdraws it');
  }
}

/** A refused account is not changed. @throws ProviderProblem */
function assertActive(user: UserRow): void {
  if (user.disabledAt) throw new ProviderProblem('disabled', 'the account is disabled', user);
  if (user.pendingSince) throw new ProviderProblem('pending', 'the account waits for its approval', user);
}

/** @throws ProviderProblem */
export async function admit(
  db: Database,
  request: FastifyRequest,
  { person, settings }: { person: Identified; settings: ProviderSettings },
): Promise<Admitted> {
  const identity = identityOf(person);
  const known = await findByIdentity(db, identity);
  if (!known && settings.oidcRegistration === 'off') {
    throw new ProviderProblem('unknown', 'no account has this identity, and OIDC_REGISTRATION is off');
  }
  const admitted = known ?? (await createAccount(db, request, { person, identity }));
  const { user } = admitted;
  assertActive(user);
  await applyClaims(db, request, { user, claims: person.claims, settings });
  return admitted;
}
