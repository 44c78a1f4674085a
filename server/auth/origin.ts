import type { FastifyRequest } from 'fastify';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export const changesState = (request: FastifyRequest) => !safeMethods.has(request.method);

/** The call's origin: `Origin`, or if the browser omits it, the origin of `Referer`. */
function originOf(request: FastifyRequest): string | undefined {
  const { origin, referer } = request.headers;
  if (origin !== undefined || referer === undefined) return origin;
  return URL.canParse(referer) ? new URL(referer).origin : 'null';
}

/** Browsers name the origin of every state-changing call; a call without one comes from another program. */
const isFromProgram = ({ headers }: FastifyRequest) =>
  ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);

/**
 * Whether a call comes from our pages, from a listed client, or not from a page at all. With PUBLIC_URL only its origin is
 * ours, including the scheme. Without it the call's host is ours; the scheme is ignored, because a proxy may use https
 * where this server uses http.
 */
export function comesFromAllowedOrigin(
  request: FastifyRequest,
  listed: readonly string[],
  publicUrl: string | undefined,
): boolean {
  const origin = originOf(request);
  if (origin === undefined) return isFromProgram(request) && !isFromOtherHost(request, publicUrl);
  if (listed.includes(origin)) return true;
  if (publicUrl !== undefined) return origin === publicUrl;
  return URL.canParse(origin) && new URL(origin).host === request.host;
}

/** A browser also sends `same-origin` for a page loaded from another name of this server. */
const isFromOtherHost = ({ headers, host }: FastifyRequest, publicUrl: string | undefined): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && publicUrl !== undefined && new URL(publicUrl).host !== host;
