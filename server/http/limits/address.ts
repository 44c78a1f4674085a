import { isIPv4, isIPv6 } from 'node:net';
import { ClientGone } from '../../errors.ts';

/** The IPv4 address, or the /64 of an IPv6 one, which one household gets. All invalid addresses of a proxy share one key. */
export function addressKey(ip: string | undefined): string {
  const address = plain(ip);
  if (!isIPv6(address)) return isIPv4(address) ? address : 'unknown';
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** The limit of a network, as a multiple of the limit of an address. */
export const addressesOfNetwork = 16;

/** The /48 of an IPv6 address, otherwise undefined. Anyone gets one free from a tunnel broker, and it holds 65,536 /64s. */
export function networkKey(ip: string | undefined): string | undefined {
  const address = plain(ip);
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : undefined;
}

/** The key of a client's part of a limit for all: the address, or its IPv6 /48. */
export const clientKey = (ip: string): string => networkKey(ip) ?? addressKey(ip);

/** @throws ClientGone: the address of a closed socket is unknown */
function plain(ip: string | undefined): string {
  if (ip === undefined) throw new ClientGone();
  return ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ''));
}
