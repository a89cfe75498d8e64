import { isIP } from 'node:net';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import ipaddr from 'ipaddr.js';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** The networks that destinations may have addresses in, besides all public ones. */
export type Networks = readonly Network[];

/** The addresses that the Internet routes in IPv6 (RFC 4291, section 2.4: global unicast that IANA has allocated). */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** A public address at which virtual machines in Azure reach the platform that runs them. */
const AZURE_PLATFORM = '168.63.129.16';

/** Reads networks such as `10.0.0.0/8`, separated by commas or white space. Throws WrongConfiguration. */
export function readNetworks(variable: string, list = ''): Networks {
  const parts = list.split(/[\s,]+/).filter((part) => part !== '');
  return parts.map((part) => {
    if (ipaddr.isValidCIDR(part)) return ipaddr.parseCIDR(part);
    throw new WrongConfiguration([
      `${variable}: ${JSON.stringify(part)} is not a network such as 10.0.0.0/8`,
    ]);
  });
}

/**
 * Whether a request may go to an IP address: a public one, or one of an allowed network. Every special-purpose range is refused:
 * private, loopback, link-local, unique-local, multicast, documentation, and those that lead to IPv4 (mapped, NAT64, 6to4, Teredo).
 */
export function isReachable(address: string, allowed: Networks): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (allowed.some((network) => contains(network, parsed))) return true;
  if (parsed.range() !== 'unicast' || address === AZURE_PLATFORM) return false;
  return parsed.kind() === 'ipv4' || contains(GLOBAL_IPV6, parsed);
}

function contains(network: Network, address: ReturnType<typeof ipaddr.parse>): boolean {
  return network[0].kind() === address.kind() && address.match(network);
}
