/** Authenticates calls by API token. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../contract.ts';
import type { ClientDatabase } from '../../database/connect.ts';
import { ScopeNeeded, SessionNeeded, Unauthorized } from '../../errors.ts';
import type { Account } from '../queries.ts';
import { findTokenAccount, type LiveToken, markUsed } from './queries.ts';
import { hashOfSecret } from './secret.ts';
import { createWrongTokens } from './wrong-tokens.ts';

export type TokenCall = { account: Account; token: LiveToken };

/** RFC 6750, 3.1. One answer for unknown, ended and expired tokens. */
const INVALID = 'Bearer error="invalid_token"';

/** @throws SessionNeeded, ScopeNeeded */
function assertScope(needed: readonly Scope[] | undefined, token: LiveToken, reply: FastifyReply): void {
  if (needed === undefined) throw new SessionNeeded();
  if (needed.some((scope) => token.scopes.includes(scope))) return;
  const scope = needed.join(' ');
  reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  throw new ScopeNeeded(needed.join(' or '));
}

/** @param limited whether wrong tokens are counted */
export function createTokenAuthentication(db: ClientDatabase, { limited }: { limited: boolean }) {
  const wrong = createWrongTokens();

  /** @throws Unauthorized, SessionNeeded, ScopeNeeded, TooManyRequests */
  return async function authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    secret: string,
  ): Promise<TokenCall> {
    const hash = hashOfSecret(secret);
    if (limited) wrong.check(request.ip, hash);
    const found = hash === undefined ? undefined : await findTokenAccount(db, hash);
    if (hash === undefined || !found) {
      wrong.noteWrong(request.ip);
      reply.header('www-authenticate', INVALID);
      throw new Unauthorized();
    }
    wrong.noteRight(hash);
    assertScope(request.routeOptions.config.scopes, found.token, reply);
    if (found.token.isUnused) {
      // Not awaited, and a failed write does not fail the call.
      markUsed(db, found.token.id, request.headers['user-agent']).catch((err: unknown) =>
        request.log.debug({ err }, 'a token was not marked as used'),
      );
    }
    return found;
  };
}
