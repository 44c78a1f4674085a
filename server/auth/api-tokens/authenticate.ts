/** Authenticates calls by API token. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientDatabase } from '../../database/connect.ts';
import { OneAlbumOnly, ScopeNeeded, SessionNeeded, TokenNotAccepted } from '../../errors.ts';
import { nameScopes } from '../../http/scopes.ts';
import type { Account } from '../queries.ts';
import { agentOf } from '../session/user-agent.ts';
import { findTokenAccount, type LiveToken, markUsed } from './queries.ts';
import { hashOfSecret } from './secret.ts';
import { createWrongTokens } from './wrong-tokens.ts';

export type TokenCall = { account: Account; token: LiveToken };

/** @throws SessionNeeded, ScopeNeeded, OneAlbumOnly */
function assertAllowed({ routeOptions }: FastifyRequest, token: LiveToken, reply: FastifyReply): void {
  const { scopes, beyondAlbum = false } = routeOptions.config;
  if (scopes === undefined || typeof scopes === 'string') throw new SessionNeeded();
  const isInScope = scopes.some((scope) => token.scopes.includes(scope));
  if (isInScope && !(beyondAlbum && token.albumId !== null)) return;
  nameScopes(reply, scopes);
  throw isInScope ? new OneAlbumOnly() : new ScopeNeeded(scopes.join(' or '));
}

/** @param limited whether wrong tokens are counted */
export function createTokenAuthentication(db: ClientDatabase, { limited }: { limited: boolean }) {
  const wrong = createWrongTokens(db);

  async function noteUse({ headers }: FastifyRequest, { id }: LiveToken): Promise<void> {
    const { browser } = await agentOf(headers['user-agent'] ?? null);
    await markUsed(db, id, browser);
  }

  /** @throws TokenNotAccepted, SessionNeeded, ScopeNeeded, OneAlbumOnly, TooManyRequests */
  return async function authenticate(request: FastifyRequest, reply: FastifyReply, secret: string): Promise<TokenCall> {
    const hash = hashOfSecret(secret);
    if (limited) wrong.check(request.ip, hash);
    const found = hash === undefined ? undefined : await findTokenAccount(db, hash);
    if (hash === undefined || !found) {
      if (limited) await wrong.noteWrong(request.ip, hash);
      throw new TokenNotAccepted();
    }
    wrong.noteRight(hash);
    assertAllowed(request, found.token, reply);
    // Not awaited, and a failed write does not fail the call.
    if (found.token.isUnused) {
      noteUse(request, found.token).catch((err: unknown) => request.log.debug({ err }, 'API token not marked as used'));
    }
    return found;
  };
}
