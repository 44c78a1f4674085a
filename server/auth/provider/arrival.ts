/** What follows when the provider has identified a person: a session, or a link to the account that requested it. */
import type { FastifyRequest } from 'fastify';
import { actorOf, note } from '../../audit/note.ts';
import type { ClientDatabase } from '../../database/connect.ts';
import { underCallerLock } from '../../database/statements/owner-lock.ts';
import { Unauthorized } from '../../errors.ts';
import { type Challenge, createChallenge } from '../challenge-queries.ts';
import { type Account, findSessionAccount } from '../queries.ts';
import { keepProviderProof } from '../second-factor/provider-proof-queries.ts';
import { countFactors, usesPassword } from '../second-factor/queries.ts';
import { admit, identityOf } from './admission.ts';
import { ProviderProblem } from './problem.ts';
import { type Identified, longestHint } from './provider-client.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { findByIdentity, linkIdentity, renewProviderSession } from './queries.ts';

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    /** A session that the page fetches next. */
    'provider-session': { browser: string; identityId: string; sid: string | null; idToken: string | null };
  }
}

/** Milliseconds in which the page fetches its session. */
const fetchLifetime = 2 * 60_000;

const hintOf = ({ idToken }: Identified) => (idToken !== null && idToken.length <= longestHint ? idToken : null);

type Arrival = { person: Identified; started: Challenge<'provider-login'>; settings: ProviderSettings };

const sessionEnded = () => new ProviderProblem('session-ended', 'the session has ended meanwhile');

/** The account that went to the provider. @throws ProviderProblem */
async function ownerOf(db: ClientDatabase, { userId, data }: Arrival['started']): Promise<Account> {
  const account = await findSessionAccount(db, data.sessionId ?? '');
  if (account?.id !== userId) throw sessionEnded();
  return account;
}

/** @throws ProviderProblem */
async function link(db: ClientDatabase, request: FastifyRequest, { person, started }: Arrival): Promise<void> {
  const account = await ownerOf(db, started);
  const identity = identityOf(person);
  const caller = { sessionId: started.data.sessionId ?? '', access: { ownerId: account.id, tokenId: null } };
  const linking = underCallerLock(db, caller, async (tx) => {
    if (!(await linkIdentity(tx, account.id, identity))) {
      throw new ProviderProblem('linked-elsewhere', 'another account has this identity');
    }
    const details = { issuer: identity.issuer, identity: identity.label };
    await note(tx, { action: 'provider.linked', actor: actorOf(request, account), details });
  });
  await linking.catch((error) => {
    throw error instanceof Unauthorized ? sessionEnded() : error;
  });
  request.server.accounts.mailWayIn(request, { kind: 'identity-linked', name: identity.label }, account);
}

/** The session can confirm its owner afterwards. @throws ProviderProblem */
async function confirm(db: ClientDatabase, { person, started, settings }: Arrival): Promise<void> {
  const account = await ownerOf(db, started);
  if (usesPassword(settings, await countFactors(db, account.id))) {
    throw new ProviderProblem('password-needed', 'the account confirms changes by its password');
  }
  const known = await findByIdentity(db, identityOf(person));
  if (known?.user.id !== account.id) throw new ProviderProblem('other-identity', 'the account has another identity');
  const { sessionId = '' } = started.data;
  await renewProviderSession(db, { sessionId, identityId: known.identityId, sid: person.sid, idToken: hintOf(person) });
  await keepProviderProof(db, { userId: account.id, sessionId });
}

/** @returns the path of the page that continues @throws ProviderProblem */
export async function arriveAt(db: ClientDatabase, request: FastifyRequest, arrival: Arrival): Promise<string> {
  const { person, started, settings } = arrival;
  if (started.data.since !== undefined) {
    await confirm(db, arrival);
    return '/dashboard/settings#provider-proved';
  }
  if (started.userId !== null) {
    await link(db, request, arrival);
    return '/dashboard/settings#provider-linked';
  }
  const { user, identityId } = await admit(db, request, { person, settings, offer: started.data.offer });
  const { browser, share, offer } = started.data;
  const code = await createChallenge(db, {
    ...{ kind: 'provider-session' as const, userId: user.id, lifetimeMs: fetchLifetime },
    data: { browser, identityId, sid: person.sid, idToken: hintOf(person) },
  });
  // In the fragment, which browsers do not send, so that no proxy logs the code.
  const claimed = offer?.kind === 'claim' ? '&claimed' : '';
  return `/login?${share === undefined ? 'local' : `share=${share}`}#provider=${code}${claimed}`;
}
