/** Conditional requests. */
import type { FastifyRequest } from 'fastify';

/** Whether the client has these bytes: If-None-Match is `*` or a list, compared weakly (RFC 9110, 13.1.2). */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.trim();
  if (known === undefined) return false;
  return known === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
