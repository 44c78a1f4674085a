import type { FastifyRequest } from 'fastify';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export const changesState = (request: FastifyRequest) => !safeMethods.has(request.method);

/** The origin a call says it comes from: `Origin`, or where a browser leaves it out, that of `Referer`. */
function originOf(request: FastifyRequest): string | undefined {
  const { origin, referer } = request.headers;
  if (origin !== undefined || referer === undefined) return origin;
  return URL.canParse(referer) ? new URL(referer).origin : 'null';
}

/** Every browser tells where a call that changes something comes from: what says nothing of it is a program of the user's. */
const isFromProgram = ({ headers }: FastifyRequest) =>
  ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);

/**
 * Whether a call comes from a page of ours: the host it was sent to, `PUBLIC_URL`, or a listed client; or from no page at
 * all. The scheme is not compared with the host's, since a proxy in front may speak https where we speak http.
 */
export function comesFromAllowedOrigin(request: FastifyRequest, allowed: readonly string[]): boolean {
  const origin = originOf(request);
  if (origin === undefined) return isFromProgram(request);
  return allowed.includes(origin) || (URL.canParse(origin) && new URL(origin).host === request.host);
}
