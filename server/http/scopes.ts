/** What an API token may do. A route names the scopes that reach it in its `config`. */
import { Scope } from '../contract.ts';

/** In the order of the contract. */
export const SCOPES: readonly Scope[] = Scope.anyOf.map(({ const: scope }) => scope);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scopes of which a token needs one. A guarded route without them accepts sessions only. */
    scopes?: readonly Scope[];
    /** Whether the route refuses tokens that are restricted to one album. */
    beyondAlbum?: boolean;
  }
}

/** A route's `config`: tokens with one of these scopes may call it. */
export const withScope = (...scopes: readonly [Scope, ...Scope[]]): { scopes: readonly Scope[] } => ({ scopes });
