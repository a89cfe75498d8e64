import { isIP } from 'node:net';
import { isLoopback } from '@action-platform/contracts/configuration';
import { invalidRequest } from '@action-platform/contracts/errors';
import { isReachable, type Networks } from './addresses.ts';

/** The ports of other protocols than HTTP, and 0 (Fetch Standard, section 2.9: bad ports). */
const OTHER_PORTS = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161
  179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060
  5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

/** The destinations that a deployment permits. */
export interface DestinationPolicy {
  readonly allowedNetworks: Networks;
  /** Whether `http` may reach this machine: on the local stack alone. */
  readonly allowsHttpToLoopback: boolean;
}

/**
 * The URL of a destination in its normal form. The URL is checked without a look-up: `DestinationCheck` checks each address that a name
 * has.
 *
 * @param where the field of the request that has it, and whether it may have a query.
 * @throws ActionError `invalid_request`, naming the field.
 */
export function destinationUrl(
  text: string,
  policy: DestinationPolicy,
  where: { readonly field?: string; readonly mayHaveQuery?: boolean } = {},
): string {
  const { field = 'url', mayHaveQuery = true } = where;
  const url = URL.parse(text);
  const problem = url === null ? 'must be a URL' : problemOf(url, policy);
  if (url === null || problem !== undefined) throw invalidRequest(`${field}: ${problem}.`);
  if (!mayHaveQuery && url.href.includes('?')) throw invalidRequest(`${field}: must have no query.`);
  return url.href;
}

/** The reason why a deployment refuses a URL; undefined for a permitted one. */
export function problemOf(
  url: URL,
  { allowedNetworks, allowsHttpToLoopback }: DestinationPolicy,
): string | undefined {
  const isHttpToLoopback = allowsHttpToLoopback && url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isHttpToLoopback) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must have no user and no password';
  if (url.hash !== '') return 'must have no fragment';
  if (isHttpToLoopback) return undefined;
  if (OTHER_PORTS.has(url.port)) return 'its port is of another protocol than HTTP';
  // The parser has brought every spelling of an IPv4 address to its dotted form.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isReachable(host, allowedNetworks)) return 'its address is not a public one';
  if (/(^|\.)localhost\.?$/.test(host) && !isReachable('127.0.0.1', allowedNetworks))
    return 'its host is not a public one';
  return undefined;
}
