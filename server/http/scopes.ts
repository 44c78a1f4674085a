/** Who may call a route, and as whom. Every route of the API and of the links declares the former in its `config`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Scope } from '../contract.ts';
import type { Access } from '../database/statements/access.ts';
import { ScopeNeeded } from '../errors.ts';

/** In the order of the contract. */
export const SCOPES: readonly Scope[] = Scope.anyOf.map(({ const: scope }) => scope);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scopes of which a token needs one; 'session' for a route that accepts no token; 'none' for one without a login. */
    scopes?: readonly Scope[] | 'session' | 'none';
    /** Whether the route refuses accounts that are no administrators. */
    adminOnly?: boolean;
    /** Whether an account may call it that must have a second factor and has none yet. */
    withoutFactor?: boolean;
    /** Whether the route refuses sessions. */
    tokenOnly?: boolean;
    /** Whether the route refuses tokens that are restricted to one album. */
    beyondAlbum?: boolean;
  }
}

/** A route's `config`: tokens with one of these scopes may call it, and sessions. */
export const withScope = (...scopes: readonly [Scope, ...Scope[]]): { scopes: readonly Scope[] } => ({ scopes });

/** A route's `config`: no token may call it. */
export const sessionOnly = { scopes: 'session' } as const;

/** A route's `config`: no token may call it, but an account that must set up a second factor first. */
export const sessionWithoutFactor = { scopes: 'session', withoutFactor: true } as const;

/** A route's `config`: only administrators may call it, and no token. */
export const forAdmins = { scopes: 'session', adminOnly: true } as const;

/** A route's `config`: anyone may call it. */
export const withoutLogin = { scopes: 'none' } as const;

type Credentials = {
  /** In `Authorization`, with the scheme `Bearer`; may be empty. */
  bearer?: string;
  /** In `Authorization`, without a scheme. */
  bare?: string;
  /** In `X-API-Key`. */
  key?: string;
};

/** Other schemes, such as Basic, are ignored: a proxy in front may add them. */
export function credentialsOf({ headers }: Pick<FastifyRequest, 'headers'>): Credentials {
  const authorization = headers.authorization?.trim() ?? '';
  const [scheme = '', ...rest] = authorization.split(/\s+/);
  const isBearer = scheme.toLowerCase() === 'bearer';
  return {
    ...(isBearer ? { bearer: rest.join(' ') } : {}),
    ...(!isBearer && scheme !== '' && rest.length === 0 ? { bare: scheme } : {}),
    ...(headers['x-api-key'] === undefined ? {} : { key: String(headers['x-api-key']).trim() }),
  };
}

/**
 * For a 401, each of which names a scheme (RFC 9110, 15.5.2).
 * @param isOfToken whether it refuses what the call carries. RFC 6750, 3.1: a call without credentials gets no error code.
 */
export function nameScheme(request: FastifyRequest, reply: FastifyReply, isOfToken: boolean): void {
  const isInvalid = isOfToken && Object.keys(credentialsOf(request)).length > 0;
  reply.header('www-authenticate', isInvalid ? 'Bearer error="invalid_token"' : 'Bearer');
}

/** Names the scopes of which a refused call needs one (RFC 6750, 3.1). */
export function nameScopes(reply: FastifyReply, scopes: readonly Scope[]): void {
  reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`);
}

/** For calls that need a further scope, depending on what they change. @throws ScopeNeeded */
export function assertScope({ scopes }: Pick<Access, 'scopes'>, needed: Scope, reply: FastifyReply): void {
  if (scopes === null || scopes.includes(needed)) return;
  nameScopes(reply, [needed]);
  throw new ScopeNeeded(needed);
}

/** Addresses that programs call. The rest is for browsers: the page, its files and the public pages of albums. */
export const isForPrograms = (url: string): boolean => /^\/(?:api|i|d|l|s|c)(?:\/|$)/.test(url);

/** Refuses to start with a route that does not declare who may call it. */
export const declaredScopes = fp(
  async (app) => {
    app.addHook('onRoute', ({ method, url, config }) => {
      if (!isForPrograms(url) || config?.scopes !== undefined) return;
      throw new Error(`${method} ${url} does not declare who may call it: see http/scopes.ts.`);
    });
  },
  { name: 'declared-scopes' },
);
