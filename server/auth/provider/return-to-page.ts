/** Leads the browser from the provider back to the page. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf, note } from '../../audit/note.ts';
import type { Database } from '../../database/connect.ts';
import { noteFailure } from '../note-failure.ts';
import { ProviderProblem } from './problem.ts';

/** @param place an address at the provider, or of the page */
export const leadTo = (reply: FastifyReply, place: string) =>
  reply.header('cache-control', 'no-store').redirect(place, 302);

type Failure = { error: unknown; origin: string; isLink: boolean };

/** Shows the person what is wrong, on the page where they started. The log has the reason. */
export async function reportProblem(
  db: Database,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { error, origin, isLink }: Failure,
) {
  const known = error instanceof ProviderProblem ? error : undefined;
  const problem = known?.problem ?? 'failed';
  if (known) request.log.warn({ problem, reason: known.message }, 'login by the provider refused');
  else request.log.error({ err: error }, 'login by the provider failed');
  const details = { method: 'provider', reason: problem };
  if (known?.user) await note(db, { action: 'login.failed', actor: actorOf(request, known.user), details });
  else await noteFailure(db, request, { ...details, ...(known?.email === undefined ? {} : { email: known.email }) });
  return leadTo(reply, `${origin}${isLink ? '/dashboard/settings#provider-' : '/login?local#'}problem=${problem}`);
}
