import { BlockList, isIPv6 } from 'node:net';

/**
 * Whether an address is in one of the networks; also an IPv4 address in the form of an IPv6 one (`::ffff:10.0.0.1`).
 *
 * @param networks addresses and networks in CIDR notation
 */
export function membership(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
