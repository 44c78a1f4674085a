/** Creates, lists, changes and ends the API tokens of an account. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { ApiTokenRow } from '../../../drizzle/schema.ts';
import { noSuchAlbum } from '../../albums/refusals.ts';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import {
  type ApiToken,
  ApiTokenAnswer,
  ApiTokenChange,
  ApiTokenList,
  CreatedApiToken,
  NewApiToken,
  type Scope,
} from '../../contract.ts';
import { underCallerLock } from '../../database/statements/owner-lock.ts';
import { InvalidRequest, NotFound, NotNarrower, ProofNeeded, TooManyTokens, Unauthorized } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { linkOrigin } from '../../http/link-origin.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { SCOPES, sessionOnly } from '../../http/scopes.ts';
import { differs } from '../../lib/differs.ts';
import { durationWithin, IMAGE_LIFETIME, TOKEN_LIFETIME } from '../../lib/duration.ts';
import { oneLine } from '../../lib/one-line.ts';
import type { Proofs } from '../second-factor/proof.ts';
import { checkProfile, makeProfile } from './profiles/make-profile.ts';
import { changeToken, deleteToken, findToken, insertToken, listTokens, type TokenChange } from './queries.ts';
import { createSecret } from './secret.ts';

const minute = 60_000;

/** The end of a token that can do more than upload, or that was made without a proof of the owner. */
const DEFAULT_LIFETIME = '90d';

/** @throws InvalidRequest */
const endAfter = (lifetime: string) => new Date(Date.now() + durationWithin('expires_in', lifetime, TOKEN_LIFETIME));

const uploadsOnly = ({ scopes }: NewApiToken) => scopes.every((scope) => scope === 'images:upload');

/** Whether a session alone must not make it: a copy of the session would live on in the token. */
const needsProof = (token: NewApiToken) => token.expires_in === null || !uploadsOnly(token);

/** @returns when a new token ends; null for never */
function endOf(token: NewApiToken): Date | null {
  const usual = token.proof !== undefined && uploadsOnly(token) ? null : DEFAULT_LIFETIME;
  const lifetime = token.expires_in === undefined ? usual : token.expires_in;
  return lifetime === null ? null : endAfter(lifetime);
}

/** @throws InvalidRequest */
function checkImageLifetime(text: string | null | undefined): void {
  if (text) durationWithin('images_expire_in', text, IMAGE_LIFETIME);
}

/** @throws NotFound */
function albumIdOf(album: string | null | undefined): string | null {
  if (album && !isUuid(album)) throw noSuchAlbum();
  return album ?? null;
}

const tokenAnswer = (row: ApiTokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  start: row.start,
  scopes: row.scopes as Scope[],
  album: row.albumId,
  images_expire_in: row.imagesExpireIn,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  used_at: row.usedAt?.toISOString() ?? null,
  used_by: row.usedBy,
});

/** @returns the name as stored: one line, trimmed @throws InvalidRequest */
function tokenName(sent: string): string {
  const name = oneLine(sent);
  if (name === '') throw new InvalidRequest('The token needs a name.');
  return name;
}

/** In the order of the list, each once. */
const sorted = (scopes: readonly Scope[]): Scope[] => SCOPES.filter((scope) => scopes.includes(scope));

/** @throws NotNarrower, InvalidRequest, NotFound */
function changeOf(token: ApiTokenRow, body: ApiTokenChange): TokenChange {
  const { name, scopes, expires_in, album, images_expire_in } = body;
  if (scopes?.some((scope) => !token.scopes.includes(scope))) throw new NotNarrower();
  const expiresAt = typeof expires_in === 'string' ? endAfter(expires_in) : expires_in;
  const isLater = expiresAt === null || (expiresAt && token.expiresAt && expiresAt > token.expiresAt);
  if (token.expiresAt && isLater) throw new NotNarrower();
  checkImageLifetime(images_expire_in);
  return {
    ...(name === undefined ? {} : { name: tokenName(name) }),
    ...(scopes === undefined ? {} : { scopes: sorted(scopes) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(album === undefined ? {} : { albumId: albumIdOf(album) }),
    ...(images_expire_in === undefined ? {} : { imagesExpireIn: images_expire_in }),
  };
}

const Params = Type.Object({ id: Type.String() });

const noSuchToken = () => new NotFound('There is no such token. It may have ended already.');

type Limits = { changing: ReturnType<typeof perAccount> };

const callsWithoutBody: FastifyPluginAsyncTypebox<Limits> = async (app, { changing }) => {
  ignoreBodies(app);
  const ending = {
    config: { ...changing, ...sessionOnly, ...refuses(NotFound) },
    schema: { operationId: 'endToken', summary: 'End an API token', params: Params, response: { 204: Type.Null() } },
  };
  app.delete('/:id', ending, async (request, reply) => {
    const { account, params } = request;
    const { id } = params;
    const name = await app.db.transaction(async (tx) => {
      const ended = isUuid(id) ? await deleteToken(tx, account.id, id) : undefined;
      if (ended === undefined) throw noSuchToken();
      await note(tx, { action: 'token.ended', actor: actorOf(request), details: { id } });
      return ended;
    });
    app.accounts.mailWayIn(request, { kind: 'token-ended', name });
    return reply.code(204).send(null);
  });

  const own = { scopes: SCOPES, tokenOnly: true };
  const readingOwn = {
    config: own,
    schema: {
      operationId: 'getCurrentToken',
      summary: 'Read the API token of the call',
      response: { 200: ApiTokenAnswer },
    },
  };
  app.get('/current', readingOwn, async ({ access }) => {
    const token = access.tokenId && (await findToken(app.db, access.ownerId, access.tokenId));
    if (!token) throw new Unauthorized();
    return { token: tokenAnswer(token) };
  });
  const endingOwn = {
    config: { ...changing, ...own },
    schema: {
      operationId: 'endCurrentToken',
      summary: 'End the API token of the call',
      response: { 204: Type.Null() },
    },
  };
  app.delete('/current', endingOwn, async (request, reply) => {
    const { ownerId, tokenId } = request.access;
    if (!tokenId) throw new Unauthorized();
    const name = await app.db.transaction(async (tx) => {
      const ended = await deleteToken(tx, ownerId, tokenId);
      if (ended !== undefined)
        await note(tx, { action: 'token.ended', actor: actorOf(request), details: { id: tokenId } });
      return ended;
    });
    if (name !== undefined) app.accounts.mailWayIn(request, { kind: 'token-ended', name });
    return reply.code(204).send(null);
  });
};

export const tokenRoutes: FastifyPluginAsyncTypebox<{ config: Config; proofs: Proofs }> = async (app, options) => {
  const { config, proofs } = options;
  app.addHook('onRequest', app.guard);
  const changing = perAccount('tokens', 600, minute);

  const creating = {
    config: { ...changing, ...sessionOnly, ...refuses(NotFound, TooManyTokens, ProofNeeded) },
    schema: {
      operationId: 'createToken',
      summary: 'Create an API token',
      body: NewApiToken,
      response: { 201: CreatedApiToken },
    },
  };
  app.post('/', creating, async (request, reply) => {
    const { account, body } = request;
    checkImageLifetime(body.images_expire_in);
    checkProfile(body);
    if (needsProof(body) && body.proof === undefined) throw new ProofNeeded();
    if (body.proof !== undefined) await proofs.assert(request, body.proof);
    const origin = linkOrigin(request, config.publicUrl);
    const { secret, hash, start } = createSecret();
    const newToken = {
      id: uuidv7(),
      ownerId: account.id,
      name: tokenName(body.name),
      secretHash: hash,
      start,
      scopes: sorted(body.scopes),
      albumId: albumIdOf(body.album),
      imagesExpireIn: body.images_expire_in ?? null,
      expiresAt: endOf(body),
    };
    const row = await underCallerLock(app.db, request, async (tx) => {
      const details = { token: newToken.name, scopes: newToken.scopes.join(' ') };
      await note(tx, { action: 'token.created', actor: actorOf(request), details });
      return insertToken(tx, newToken);
    });
    app.accounts.mailWayIn(request, { kind: 'token-created', name: row.name, proven: body.proof !== undefined });
    const token = tokenAnswer(row);
    const profile = makeProfile(body.profile, { origin, secret, token, language: body.language ?? 'en' });
    return reply.code(201).send({ token, secret, profile });
  });

  const listing = {
    config: sessionOnly,
    schema: { operationId: 'listTokens', summary: 'List the API tokens', response: { 200: ApiTokenList } },
  };
  app.get('/', listing, async ({ account }) => ({
    tokens: (await listTokens(app.db, account.id)).map(tokenAnswer),
  }));

  const changingOne = {
    config: { ...changing, ...sessionOnly, ...refuses(NotFound, NotNarrower) },
    schema: {
      operationId: 'changeToken',
      summary: 'Change an API token',
      params: Params,
      body: ApiTokenChange,
      response: { 200: ApiTokenAnswer },
    },
  };
  app.patch('/:id', changingOne, async (request) => {
    const { account, params, body } = request;
    const { id } = params;
    const own = { ownerId: account.id, id };
    const changed = await underCallerLock(app.db, request, async (tx) => {
      let isChange = false;
      const change = (token: ApiTokenRow) => {
        const changes = changeOf(token, body);
        isChange = differs(token, changes);
        return changes;
      };
      const row = isUuid(id) ? await changeToken(tx, own, change) : undefined;
      if (!row) throw noSuchToken();
      if (isChange) await note(tx, { action: 'token.changed', actor: actorOf(request), details: { token: row.name } });
      return row;
    });
    return { token: tokenAnswer(changed) };
  });

  await app.register(callsWithoutBody, { changing });
};
