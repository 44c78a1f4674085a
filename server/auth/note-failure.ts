import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../../drizzle/schema.ts';
import { actorOf, note, stranger } from '../audit/note.ts';
import type { Database } from '../database/connect.ts';
import { addressKey } from '../http/limits/address.ts';
import { countAttempt } from '../http/limits/rate-limit-queries.ts';
import { problemOf } from './field-texts.ts';

const hour = 3_600_000;
/** Entries an hour for one address or account: nobody may fill the log, from which nothing is deleted. */
const most = 20;

/** Counts a failure. @returns what its entry says of further ones; undefined if there are enough entries */
async function countFailure(db: Database, { server }: FastifyRequest, key: string) {
  const { count } = server.accounts.countsFailures ? await countAttempt(db, `audit:${key}`, hour) : { count: 0 };
  return count > most ? undefined : { more: count === most };
}

type Failure = { reason: string; method?: string /** As it was typed. */; email?: string };

/** A failed login of someone whose account is not known. */
export async function noteFailure(db: Database, request: FastifyRequest, failure: Failure): Promise<void> {
  const counted = await countFailure(db, request, addressKey(request.ip));
  if (!counted) return;
  const { email, ...details } = failure;
  // Anything else may be a password in the wrong field.
  const isEmail = email !== undefined && problemOf('email', email) === undefined;
  const entry = { ...details, email: isEmail ? email : null, ...counted };
  await note(db, { action: 'login.failed', actor: stranger(request), details: entry });
}

type WrongProof = { reason: 'password' | 'passkey' } | { reason: 'provider'; problem: string };

/** The holder of a session could not prove to own its account. @param account that of the call, unless it has no session */
export async function noteWrongProof(
  db: Database,
  request: FastifyRequest,
  proof: WrongProof,
  account: Pick<UserRow, 'id' | 'username'> = request.account,
) {
  const counted = await countFailure(db, request, account.id);
  if (!counted) return;
  await note(db, { action: 'proof.failed', actor: actorOf(request, account), details: { ...proof, ...counted } });
}
