import { isIP } from 'node:net';
import { ActionError, isLoopback } from '@action-platform/contracts';
import { isReachable, type Networks } from './addresses.ts';

/** The destinations that a deployment permits. */
export interface DestinationPolicy {
  readonly allowedNetworks: Networks;
  /** Whether `http` may reach this machine: on the local stack alone. */
  readonly allowsHttpToLoopback: boolean;
}

/**
 * The URL of a destination in its normal form. It is checked without a look-up: `DestinationCheck` checks each address that a name has.
 *
 * @throws ActionError `invalid_request`.
 */
export function destinationUrl(text: string, policy: DestinationPolicy): string {
  const url = URL.parse(text);
  const problem = url === null ? 'must be a URL' : problemOf(url, policy);
  if (url !== null && problem === undefined) return url.href;
  throw new ActionError('invalid_request', { message: `url: ${problem}.` });
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
  // The parser has brought every spelling of an IPv4 address to its dotted form.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isReachable(host, allowedNetworks)) return 'its address is not a public one';
  if (/(^|\.)localhost\.?$/.test(host)) return 'its host is not a public one';
  return undefined;
}
