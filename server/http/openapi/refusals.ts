import type { FastifyErrorConstructor } from '@fastify/error';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals of errors.ts that this route gives, beside those that follow from its other settings (openapi/refusals.ts). */
    refusals?: readonly Refusal[];
  }
  interface FastifySchema {
    /** Names the route in the OpenAPI document. Programs are generated from it, so it never changes. */
    operationId?: string;
    /** Of the route in the OpenAPI document. */
    summary?: string;
  }
}

/** A constructor of errors.ts. */
export type Refusal = FastifyErrorConstructor;

/** A route's `config`: the OpenAPI document lists these refusals, and tests fail if the route gives another one. */
export const refuses = (...refusals: Refusal[]): { refusals: readonly Refusal[] } => ({ refusals });
