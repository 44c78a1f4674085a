import { isIPv4, isIPv6 } from 'node:net';

/**
 * What counts as one address: an IPv4 address, or the /64 network of an IPv6 address, since that much is given to
 * one household and any of its 2^64 addresses costs nothing. What a proxy passes on and is no address counts as one.
 */
export function addressKey(ip: string): string {
  const address = plain(ip);
  if (!isIPv6(address)) return isIPv4(address) ? address : 'unknown';
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** As many addresses of one network may do, as a multiple of what one may. */
export const addressesOfNetwork = 16;

/**
 * The /48 network of an IPv6 address, which anybody gets for nothing from a tunnel and which holds 65,536 of the networks
 * that count as one address. Undefined for any other address.
 */
export function networkKey(ip: string): string | undefined {
  const address = plain(ip);
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : undefined;
}

const plain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

/** The eight groups of an IPv6 address, each in its shortest form. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ''));
}
