import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isReachable, type Networks } from './addresses.ts';

/** The addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** A host is, or has, an address to which no connection may go. */
export class AddressRefused extends Error {
  constructor() {
    super('The host has an address that is not a public one.');
    this.name = 'AddressRefused';
  }
}

const RESOLVER = { timeout: 2_000, tries: 2 };

/**
 * Resolves a name by DNS alone. It takes none of the four threads of `dns.lookup`, with which slow name servers of some hosts
 * would hold up every other look-up of the process.
 */
const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver(RESOLVER);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const [failure] = found.filter((result) => result.status === 'rejected');
  if (addresses.length === 0) throw failure?.reason;
  return addresses;
};

/** The check of each connection to a host that a caller named. */
export class DestinationCheck {
  readonly #allowed: Networks;
  readonly #resolve: Resolve;

  /** @param allowed networks besides all public addresses. */
  constructor(allowed: Networks, resolve: Resolve = resolveByDns) {
    this.#allowed = allowed;
    this.#resolve = resolve;
  }

  /** Refuses a host that is itself an address: connections to one make no look-up. @throws AddressRefused */
  requireReachable(host: string): void {
    if (isIP(host) !== 0 && !isReachable(host, this.#allowed)) throw new AddressRefused();
  }

  /**
   * A look-up for connections that checks every address of a name and returns only these: the connection goes to an address that was
   * checked, whatever the name has a moment later. One refused address refuses the name.
   */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#resolve(host).then(
      (addresses) => {
        const isSafe =
          addresses.length > 0 && addresses.every((address) => isReachable(address, this.#allowed));
        if (!isSafe) return done(new AddressRefused(), []);
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (options.all) return done(null, found);
        return done(null, found[0]!.address, found[0]!.family);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}
