/** Leads the browser from the provider back to the page. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/connect.ts';
import { noteFailure, noteWrongProof } from '../note-failure.ts';
import { findUser } from '../queries.ts';
import { ProviderProblem } from './problem.ts';

/** @param place an address at the provider, or of the page */
export const leadTo = (reply: FastifyReply, place: string) =>
  reply.header('cache-control', 'no-store').redirect(place, 302);

/** `userId`: the account that went there for a link or a confirmation; null for a login. */
type Failure = { error: unknown; origin: string; userId: string | null };

/** The account that failed, as far as it is known. In another browser it may be anyone who does. */
async function noteProblem(
  db: Database,
  request: FastifyRequest,
  { error, userId }: Pick<Failure, 'error' | 'userId'>,
): Promise<void> {
  const known = error instanceof ProviderProblem ? error : undefined;
  const problem = known?.problem ?? 'failed';
  const owner = userId !== null && problem !== 'expired' ? await findUser(db, userId) : undefined;
  if (owner) return noteWrongProof(db, request, { reason: 'provider', problem }, owner);
  const details = { method: 'provider', reason: problem };
  const email = known?.email;
  return noteFailure(db, request, { ...details, ...(email === undefined ? {} : { email }) }, known?.user);
}

/** Shows the person what is wrong, on the page where they started. The log has the reason. */
export async function reportProblem(
  db: Database,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { error, origin, userId }: Failure,
) {
  const known = error instanceof ProviderProblem ? error : undefined;
  const problem = known?.problem ?? 'failed';
  if (known) request.log.warn({ problem, reason: known.message }, 'login by the provider refused');
  else request.log.error({ err: error }, 'login by the provider failed');
  await noteProblem(db, request, { error, userId });
  return leadTo(
    reply,
    `${origin}${userId === null ? '/login?local#' : '/dashboard/settings#provider-'}problem=${problem}`,
  );
}
