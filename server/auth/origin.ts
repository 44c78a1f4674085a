import type { FastifyRequest } from 'fastify';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export const changesState = (request: FastifyRequest) => !safeMethods.has(request.method);

/** The origin a call says it comes from: `Origin`, or where a browser leaves it out, that of `Referer`. */
function originOf(request: FastifyRequest): string | undefined {
  const { origin, referer } = request.headers;
  if (origin !== undefined) return origin;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;
}

/**
 * Whether a call comes from a page of ours: the host it was sent to, `PUBLIC_URL`, or a listed client. The scheme is not
 * compared with the host's, since a proxy in front may speak https where we speak http.
 */
export function comesFromAllowedOrigin(request: FastifyRequest, allowed: readonly string[]): boolean {
  const origin = originOf(request);
  if (origin === undefined || !URL.canParse(origin)) return false;
  return allowed.includes(origin) || new URL(origin).host === request.host;
}
