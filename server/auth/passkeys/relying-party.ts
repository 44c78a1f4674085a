/** Where passkeys of this server work: WebAuthn binds each to a domain, the RP ID, and works in secure contexts only. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { PasskeyObstacle } from '../../contract.ts';
import { PasskeysUnavailable } from '../../errors.ts';

export type RelyingParty = { id: string; origin: string };

const isLocal = (hostname: string) => hostname === 'localhost' || hostname.endsWith('.localhost');

const isAddress = (hostname: string) => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** @returns why passkeys do not work there, if they do not */
function ofPublicUrl(publicUrl: string): RelyingParty | PasskeyObstacle {
  const { hostname, protocol, origin } = new URL(publicUrl);
  if (isAddress(hostname)) return 'ip-address';
  if (protocol !== 'https:' && !isLocal(hostname)) return 'insecure';
  return { id: hostname, origin };
}

type Called = Pick<FastifyRequest, 'hostname' | 'host' | 'protocol'> & {
  /** `localPort` is undefined for calls that did not come by a connection, as in tests. */
  socket: Pick<FastifyRequest['socket'], 'localPort'>;
};

/** Whether it is the page of this server on this machine. Another program's page has another port. */
function isOwnPage({ protocol, port }: URL, { localPort }: Called['socket']): boolean {
  const usual = protocol === 'https:' ? 443 : 80;
  return localPort === undefined || Number(port || usual) === localPort;
}

/** @returns why passkeys do not work there, if they do not */
export function relyingPartyOf(
  { hostname, host, protocol, socket }: Called,
  publicUrl: string | undefined,
): RelyingParty | PasskeyObstacle {
  if (publicUrl !== undefined) return ofPublicUrl(publicUrl);
  if (isAddress(hostname)) return 'ip-address';
  if (hostname !== 'localhost') return 'no-public-url';
  // A request's host may be forged. Localhost is this machine in every browser.
  const page = new URL(`${protocol}://${host}`);
  return isOwnPage(page, socket) ? { id: hostname, origin: page.origin } : 'no-public-url';
}

/** @throws PasskeysUnavailable */
export function assertRelyingParty(request: FastifyRequest, publicUrl: string | undefined): RelyingParty {
  const party = relyingPartyOf(request, publicUrl);
  if (typeof party === 'string') throw new PasskeysUnavailable();
  return party;
}
