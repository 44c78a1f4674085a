/** What follows when the provider has identified a person: a session, or a link to the account that requested it. */
import type { FastifyRequest } from 'fastify';
import { actorOf, note } from '../../audit/note.ts';
import type { ClientDatabase } from '../../database/connect.ts';
import { type Challenge, createChallenge } from '../challenge-queries.ts';
import { findSessionAccount } from '../queries.ts';
import { admit, identityOf } from './admission.ts';
import { ProviderProblem } from './problem.ts';
import { type Identified, longestHint } from './provider-client.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { linkIdentity } from './queries.ts';

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    /** A session that the page fetches next. */
    'provider-session': { browser: string; identityId: string; sid: string | null; idToken: string | null };
  }
}

/** Milliseconds in which the page fetches its session. */
const fetchLifetime = 2 * 60_000;

type Arrival = { person: Identified; started: Challenge<'provider-login'>; settings: ProviderSettings };

/** @throws ProviderProblem */
async function link(db: ClientDatabase, request: FastifyRequest, { person, started }: Arrival): Promise<void> {
  const account = await findSessionAccount(db, started.data.sessionId ?? '');
  if (account?.id !== started.userId) throw new ProviderProblem('session-ended', 'the session has ended meanwhile');
  const identity = identityOf(person);
  await db.transaction(async (tx) => {
    if (!(await linkIdentity(tx, account.id, identity))) {
      throw new ProviderProblem('linked-elsewhere', 'another account has this identity');
    }
    const details = { issuer: identity.issuer, identity: identity.label };
    await note(tx, { action: 'provider.linked', actor: actorOf(request, account), details });
  });
}

/** @returns the path of the page that continues @throws ProviderProblem */
export async function arriveAt(db: ClientDatabase, request: FastifyRequest, arrival: Arrival): Promise<string> {
  const { person, started, settings } = arrival;
  if (started.userId !== null) {
    await link(db, request, arrival);
    return '/dashboard/settings#provider-linked';
  }
  const { user, identityId } = await admit(db, request, { person, settings });
  const { browser, share } = started.data;
  const { sid, idToken } = person;
  const hint = idToken !== null && idToken.length <= longestHint ? idToken : null;
  const code = await createChallenge(db, {
    ...{ kind: 'provider-session' as const, userId: user.id, lifetimeMs: fetchLifetime },
    data: { browser, identityId, sid, idToken: hint },
  });
  // In the fragment, which browsers do not send, so that no proxy logs the code.
  return `/login?${share === undefined ? 'local' : `share=${share}`}#provider=${code}`;
}
