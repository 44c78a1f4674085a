/** From a person whom the provider has identified to an account here. Accounts are found by issuer and subject alone. */
import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../../../drizzle/schema.ts';
import { actorOf, note } from '../../audit/note.ts';
import type { Database } from '../../database/connect.ts';
import { EmailTaken, LastAdmin, UsernameTaken } from '../../errors.ts';
import { setQuota, setRole } from '../roles/queries.ts';
import { emailOf, isEmailVerified, labelOf, numbered, quotaOf, roleOf, usernameOf } from './claims.ts';
import { claimOffered, type Offer, termsOf } from './offer.ts';
import { ProviderProblem } from './problem.ts';
import type { Identified } from './provider-client.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { confirmByProvider, findByIdentity, insertProviderUser, isIdentityTaken, type NewIdentity } from './queries.ts';

export type Admitted = { user: UserRow; identityId: string };

export const identityOf = ({ issuer, subject, claims }: Identified): NewIdentity => ({
  issuer,
  subject,
  label: labelOf(claims, subject),
});

const mostNames = 12;

/** A refused account is not changed. @throws ProviderProblem */
function assertActive(user: UserRow): void {
  if (user.disabledAt) throw new ProviderProblem('disabled', 'the account is disabled', { user });
  if (user.pendingSince) throw new ProviderProblem('pending', 'the account waits for its approval', { user });
}

/** An account that exists uses no invitation, but may become the first administrator. @throws ProviderProblem */
async function recognize(
  db: Database,
  request: FastifyRequest,
  { known, offer, settings }: { known: Admitted; offer: Offer | undefined; settings: ProviderSettings },
): Promise<Admitted> {
  assertActive(known.user);
  if (offer?.kind !== 'claim') return known;
  return db.transaction(async (tx) => {
    const user = await claimOffered(tx, settings, { offer, user: known.user });
    if (user !== known.user) await note(tx, { action: 'admin.claimed', actor: actorOf(request, user) });
    return { ...known, user };
  });
}

type Person = { person: Identified; settings: ProviderSettings; offer: Offer | undefined };

/** The account, and what the link of the person offers, in one transaction. @throws ProviderProblem */
async function createAccount(
  db: Database,
  request: FastifyRequest,
  { person, settings, offer, identity }: Person & { identity: NewIdentity },
): Promise<Admitted> {
  const { claims } = person;
  const [username, email] = [usernameOf(claims), emailOf(claims, settings)];
  for (let round = 0; round < mostNames; round += 1) {
    try {
      return await db.transaction(async (tx) => {
        const { terms, details } = await termsOf(tx, offer, email);
        const account = { username: numbered(username, round), email, ...terms };
        const { user, identityId } = await insertProviderUser(tx, account, identity);
        await note(tx, { action: 'account.registered', actor: actorOf(request, user), details });
        return { user: await claimOffered(tx, settings, { offer, user }), identityId };
      });
    } catch (error) {
      if (error instanceof UsernameTaken) continue;
      // Two logins at once: the first one's account is this person's, and has used what the link offers.
      const isTaken = error instanceof EmailTaken;
      const mayBeKnown = isTaken || error instanceof ProviderProblem || isIdentityTaken(error);
      const admitted = mayBeKnown ? await findByIdentity(db, identity) : undefined;
      if (admitted) return recognize(db, request, { known: admitted, offer, settings });
      if (isTaken)
        throw new ProviderProblem('email-taken', 'another account has the email of a new identity', { email });
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

/** @throws ProviderProblem */
export async function admit(
  db: Database,
  request: FastifyRequest,
  { person, settings, offer }: Person,
): Promise<Admitted> {
  const identity = identityOf(person);
  const known = await findByIdentity(db, identity);
  if (!known && !offer && settings.oidcRegistration === 'off') {
    const email = typeof person.claims.email === 'string' ? { email: person.claims.email } : {};
    throw new ProviderProblem('unknown', 'no account has this identity, and OIDC_REGISTRATION is off', email);
  }
  const admitted = known
    ? await recognize(db, request, { known, offer, settings })
    : await createAccount(db, request, { person, settings, offer, identity });
  if (known && isEmailVerified(person.claims, settings)) {
    await confirmByProvider(db, { ...admitted, email: person.claims.email });
  }
  await applyClaims(db, request, { user: admitted.user, claims: person.claims, settings });
  return admitted;
}
