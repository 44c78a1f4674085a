import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../../drizzle/schema.ts';
import { type Actor, actorOf, type Details, note, stranger, theServer } from '../audit/note.ts';
import type { ClientDatabase, Database } from '../database/connect.ts';
import { addressKey, networkKey } from '../http/limits/address.ts';
import { addToTally, countAttempt, takeTallies } from '../http/limits/rate-limit-queries.ts';
import { emailKey } from './account-names.ts';
import { problemOf } from './field-texts.ts';

const hour = 3_600_000;

/** Entries an hour. Nobody may fill the log, whose entries only an administrator removes. */
const most = {
  /** For one address or account. */
  each: 20,
  /** For one IPv6 /48. */
  network: 80,
  /** For all strangers together, and for all accounts together, so that neither hide the others. */
  all: 400,
};

/** Failures without an entry, an hour each. */
const tally = 'audit-failures';

type Limit = [key: string, most: number];

/** @returns whether an entry is left within each limit, and whether it is the last one */
async function countWithin(db: Database, limits: Limit[]): Promise<{ isLeft: boolean; isLast: boolean }> {
  let isLast = false;
  for (const [key, max] of limits) {
    // Beyond a limit, the wider ones count nothing.
    const { count } = await countAttempt(db, `audit:${key}`, hour);
    if (count > max) return { isLeft: false, isLast };
    if (count === max) isLast = true;
  }
  return { isLeft: true, isLast };
}

type FailureEntry = { action: 'login.failed' | 'proof.failed'; actor: Actor; details: Details };

/** Beyond the limits, failures are only counted, and `noteCounted` writes their number. */
async function noteWithin(db: Database, { server, ip }: FastifyRequest, entry: FailureEntry): Promise<void> {
  if (!server.accounts.countsFailures) return note(db, { ...entry, details: { ...entry.details, more: false } });
  const { id } = entry.actor;
  const network = networkKey(ip);
  const { isLeft, isLast } = await countWithin(db, [
    [id ?? addressKey(ip), most.each],
    ...(id === null && network !== undefined ? [[network, most.network] satisfies Limit] : []),
    [id === null ? 'strangers' : 'accounts', most.all],
  ]);
  if (isLeft) await note(db, { ...entry, details: { ...entry.details, more: isLast } });
  else await addToTally(db, tally, hour);
}

/** Writes one entry for the failures of an hour that have none. */
export async function noteCounted(db: ClientDatabase): Promise<void> {
  await db.transaction(async (tx) => {
    const failures = await takeTallies(tx, tally);
    if (failures === 0) return;
    await note(tx, { action: 'login.failed', actor: theServer, details: { reason: 'counted', failures } });
  });
}

type Failure = { reason: string; method?: string /** As it was typed. */; email?: string };

/** A failed login. @param user the account, if it is known */
export async function noteFailure(
  db: Database,
  request: FastifyRequest,
  { email, ...details }: Failure,
  user?: Pick<UserRow, 'id' | 'username'>,
): Promise<void> {
  if (user) return noteWithin(db, request, { action: 'login.failed', actor: actorOf(request, user), details });
  // Anything else may be a password in the wrong field.
  const isEmail = email !== undefined && problemOf('email', email) === undefined;
  const named = isEmail ? { email, email_key: emailKey(email) } : { email: null };
  const entry = { ...details, ...named };
  await noteWithin(db, request, { action: 'login.failed', actor: stranger(request), details: entry });
}

type WrongProof = { reason: 'password' | 'passkey' } | { reason: 'provider'; problem: string };

/** The holder of a session could not prove to own its account. @param account that of the call, unless it has no session */
export async function noteWrongProof(
  db: Database,
  request: FastifyRequest,
  proof: WrongProof,
  account: Pick<UserRow, 'id' | 'username'> = request.account,
): Promise<void> {
  await noteWithin(db, request, { action: 'proof.failed', actor: actorOf(request, account), details: proof });
}
