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

/** @returns why passkeys do not work there, if they do not */
export function relyingPartyOf(
  { hostname, host, protocol }: Pick<FastifyRequest, 'hostname' | 'host' | 'protocol'>,
  publicUrl: string | undefined,
): RelyingParty | PasskeyObstacle {
  if (publicUrl !== undefined) return ofPublicUrl(publicUrl);
  // A request's host may be forged. Localhost is this machine in every browser.
  if (isLocal(hostname)) return { id: hostname, origin: new URL(`${protocol}://${host}`).origin };
  return isAddress(hostname) ? 'ip-address' : 'no-public-url';
}

/** @throws PasskeysUnavailable */
export function assertRelyingParty(request: FastifyRequest, publicUrl: string | undefined): RelyingParty {
  const party = relyingPartyOf(request, publicUrl);
  if (typeof party === 'string') throw new PasskeysUnavailable();
  return party;
}
