import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isReachable, type Networks } from './addresses.ts';

/** The addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** A host name has an address to which no request may go. */
export class AddressRefused extends Error {
  constructor() {
    super('The host has an address that is not a public one.');
    this.name = 'AddressRefused';
  }
}

const RESOLVER = { timeout: 2_000, tries: 2 };

/**
 * Resolves a name by DNS alone. It takes none of the four threads of `dns.lookup`, with which slow name servers of some endpoints
 * would hold up every other look-up of the process.
 */
export const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver(RESOLVER);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const [failure] = found.filter((result) => result.status === 'rejected');
  if (addresses.length === 0) throw failure?.reason;
  return addresses;
};

/**
 * A look-up for connections that checks every address of a name and returns only these: the connection goes to an address that was
 * checked, whatever the name has a moment later. One refused address refuses the name.
 */
export function checkedLookup(resolve: Resolve, allowed: Networks): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (addresses) => {
        const isSafe = addresses.length > 0 && addresses.every((address) => isReachable(address, allowed));
        if (!isSafe) return done(new AddressRefused(), []);
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (options.all) return done(null, found);
        return done(null, found[0]!.address, found[0]!.family);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}
