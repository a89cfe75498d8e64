import { type LookupAddress, lookup as lookUpBySystem } from 'node:dns';
import { isIP } from 'node:net';
import { aborted } from 'node:util';
import { AddressRefused } from '@action-platform/outbound-http';
import { type Account, SignInRefused } from '../provider.ts';
import { meaningBeforeWork, unreachable } from './thread/refusals.ts';
import type { ImapSettings } from './thread/task.ts';

/**
 * The addresses of an account's server, which are checked when a Member named it.
 *
 * @throws SignInRefused for an address that may not be connected to. MailUnavailable for a name without addresses, and when the signal
 *   aborted before there were any: nothing was done.
 */
export async function addressesOf(
  { settings, destination }: Pick<Account<ImapSettings>, 'settings' | 'destination'>,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const { host } = settings;
  try {
    destination?.requireReachable(host);
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    const { promise, resolve, reject } = Promise.withResolvers<readonly LookupAddress[]>();
    const lookUp = destination?.lookup ?? lookUpBySystem;
    lookUp(host, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found as LookupAddress[]),
    );
    const givenUp = aborted(signal, promise).then(() => Promise.reject(signal.reason));
    return await Promise.race([promise, givenUp]);
  } catch (error) {
    if (signal.aborted) throw unreachable(signal.reason);
    if (error instanceof AddressRefused) {
      throw new SignInRefused('host: it has an address that is not a public one.');
    }
    throw meaningBeforeWork(error, settings);
  }
}
