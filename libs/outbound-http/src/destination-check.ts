import { type LookupAddress, NODATA } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
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

/** How long a look-up may take, in milliseconds. */
const LOOKUP_MS = 10_000;

/** The most addresses of each family that a connection may try, one after the other. */
const TRIED_ADDRESSES = 4;

/**
 * Resolves a name by DNS alone. `resolveByDns` takes none of the four threads of `dns.lookup`, with which slow name servers of some hosts
 * would hold up every other look-up of the process. A name whose record is a CNAME alone has no addresses and no error.
 */
const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver(RESOLVER);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const failure = found.find((result) => result.status === 'rejected');
  if (addresses.length === 0 && failure !== undefined) throw failure.reason;
  return addresses;
};

/** The check of each connection to a host that a caller named. */
export class DestinationCheck {
  readonly #allowed: Networks;
  readonly #resolve: Resolve;
  readonly #lookupMs: number;

  /**
   * @param allowed networks besides all public addresses.
   * @param lookupMs how long a look-up may take, in milliseconds.
   */
  constructor(allowed: Networks, resolve: Resolve = resolveByDns, lookupMs = LOOKUP_MS) {
    this.#allowed = allowed;
    this.#resolve = resolve;
    this.#lookupMs = lookupMs;
  }

  /** Refuses a host that is itself an address: connections to one make no look-up. @throws AddressRefused */
  requireReachable(host: string): void {
    if (isIP(host) !== 0 && !isReachable(host, this.#allowed)) throw new AddressRefused();
  }

  /**
   * A look-up for connections that checks every address of a name and returns only checked ones: the connection goes to an address that
   * was checked, whatever the name has a moment later. One refused address refuses the name.
   *
   * The look-up ends once, with an address or an error, whatever the resolver does: with neither, `node:net` throws a TypeError, which
   * ends the process.
   */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#checkedAddresses(host).then(
      (found) => (options.all ? done(null, found) : done(null, found[0].address, found[0].family)),
      (error: unknown) => done(Error.isError(error) ? error : noAddress(error), []),
    );
  };

  /** The first addresses of a name, of each family. `#checkedAddresses` fails when the name has none. */
  async #checkedAddresses(host: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const ended = new AbortController();
    const addresses = await Promise.race([
      this.#resolve(host),
      setTimeout(this.#lookupMs, [], { signal: ended.signal }),
    ]).finally(() => ended.abort());
    if (!addresses.every((address) => isReachable(address, this.#allowed))) throw new AddressRefused();
    const [first, ...others] = [4, 6].flatMap((family) =>
      addresses
        .filter((address) => isIP(address) === family)
        .slice(0, TRIED_ADDRESSES)
        .map((address) => ({ address, family })),
    );
    if (first === undefined) throw noAddress();
    return [first, ...others];
  }
}

function noAddress(cause?: unknown): Error {
  return Object.assign(new Error('The look-up found no address.', { cause }), { code: NODATA });
}
