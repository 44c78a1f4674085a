/** Who may call a route. Every route of the API and of the links declares it in its `config`. */
import fp from 'fastify-plugin';
import { Scope } from '../contract.ts';

/** In the order of the contract. */
export const SCOPES: readonly Scope[] = Scope.anyOf.map(({ const: scope }) => scope);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scopes of which a token needs one; 'session' for a route that accepts no token; 'none' for one without a login. */
    scopes?: readonly Scope[] | 'session' | 'none';
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

/** A route's `config`: anyone may call it. */
export const withoutLogin = { scopes: 'none' } as const;

/** Addresses that programs call. The rest is for browsers: the page, its files and the public pages of albums. */
export const isForPrograms = (url: string): boolean => /^\/(?:api|i|d)(?:\/|$)/.test(url);

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
