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
 * Whether a call comes from a page of ours or a listed client; or from no page at all. With PUBLIC_URL, ours are its pages
 * alone, scheme included, whatever host a call names. Without it, they are those of the host that the call was sent to;
 * their scheme is not compared then, since a proxy in front may speak https where we speak http.
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

/** A browser says `same-origin` of a page that another name for this server led to, too. */
const isFromOtherHost = ({ headers, host }: FastifyRequest, publicUrl: string | undefined): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && publicUrl !== undefined && new URL(publicUrl).host !== host;
