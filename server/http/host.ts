/** Validates the host, which links, the cookie's name and the origin check use; refuses requests with two possible hosts. */
import { type IncomingMessage, METHODS } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { InvalidRequest } from '../errors.ts';

/** A valid Host header (RFC 3986, 3.2.2). It becomes part of links. */
const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** A whole URL instead of the path, as sent to a proxy (RFC 9112, 3.2.2). */
const absoluteForm = /^https?:\/\/([^/?#]*)/i;

type Targeted = IncomingMessage & { targetHost?: string };

/** Resumable uploads (ingest/tus/), of accounts and of guests. */
const tusPath = /^\/(?:api|c\/[^/?#]+)\/uploads(?:[/?#]|$)/;

/**
 * Gives a request the method that its client could not send: tus 1.0.0 demands it, for clients behind proxies that know
 * neither PATCH nor DELETE. Sites cannot set the header without a preflight.
 */
function overrideMethod(raw: IncomingMessage, path: string): void {
  const wanted = String(raw.headers['x-http-method-override'] ?? '').toUpperCase();
  if (METHODS.includes(wanted) && tusPath.test(path)) raw.method = wanted;
}

/** For Fastify's `rewriteUrl`, which comes before the route is chosen: the path of a request target in any form. */
export function pathOfTarget(raw: IncomingMessage): string {
  const path = pathIn(raw);
  overrideMethod(raw, path);
  return path;
}

function pathIn(raw: IncomingMessage): string {
  const url = raw.url ?? '/';
  const [start, host] = absoluteForm.exec(url) ?? [];
  if (start === undefined) return url;
  (raw as Targeted).targetHost = host;
  const path = url.slice(start.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Node's `headers` has only the first Host. */
function hostsIn({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function complaint({ raw, host, protocol }: FastifyRequest): string | undefined {
  const own = raw.headers.host;
  const { targetHost } = raw as Targeted;
  if (hostsIn(raw) > 1) return 'There is more than one Host header.';
  // HTTP/1.0 has no Host, and old load balancers still probe with it.
  if (own === undefined && raw.httpVersion !== '1.0') return 'The Host header is missing.';
  if (own !== undefined && !hostForm.test(own)) return 'The Host header is not valid.';
  if (targetHost !== undefined && targetHost !== own) return 'The address and the Host header name different hosts.';
  if (host !== '' && !hostForm.test(host)) return 'The X-Forwarded-Host header is not valid.';
  if (protocol !== 'http' && protocol !== 'https') return 'The X-Forwarded-Proto header is not valid.';
  return undefined;
}

export const host = fp(
  async (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const reason = complaint(request);
      done(reason === undefined ? undefined : new InvalidRequest(reason));
    });
    // Node would answer an unknown Expect header without a body; ignoring it is allowed (RFC 9110, 10.1.1).
    app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  },
  { name: 'host', dependencies: ['response-headers'] },
);
