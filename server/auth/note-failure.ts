import type { FastifyRequest } from 'fastify';
import { note, stranger } from '../audit/note.ts';
import type { Database } from '../database/connect.ts';
import { addressKey } from '../http/limits/address.ts';
import { countAttempt } from '../http/limits/rate-limit-queries.ts';
import { problemOf } from './field-texts.ts';

const hour = 3_600_000;
/** Entries an hour for one address: strangers must not fill the log, from which nothing is deleted. */
const most = 20;

type Failure = { reason: string; method?: string /** As it was typed. */; email?: string };

/** A failed login of someone whose account is not known. */
export async function noteFailure(db: Database, request: FastifyRequest, failure: Failure): Promise<void> {
  const { count } = request.server.countsFailures
    ? await countAttempt(db, `audit:${addressKey(request.ip)}`, hour)
    : { count: 0 };
  if (count > most) return;
  const { email, ...details } = failure;
  // Anything else may be a password in the wrong field.
  const isEmail = email !== undefined && problemOf('email', email) === undefined;
  const entry = { ...details, email: isEmail ? email : null, more: count === most };
  await note(db, { action: 'login.failed', actor: stranger(request), details: entry });
}
