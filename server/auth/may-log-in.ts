import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { AccountDisabled, AccountPending } from '../errors.ts';
import { noteFailure } from './note-failure.ts';

/** Call only after the account has proved who it is, so that strangers cannot see its state. @throws AccountDisabled, AccountPending */
export async function assertMayLogIn(db: Database, request: FastifyRequest, user: UserRow): Promise<void> {
  const refusal = user.disabledAt ? new AccountDisabled() : user.pendingSince ? new AccountPending() : undefined;
  if (!refusal) return;
  const reason = user.disabledAt ? 'disabled' : 'pending';
  await noteFailure(db, request, { reason }, user);
  throw refusal;
}
