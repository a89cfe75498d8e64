import { connect, createServer, isIP, type Server } from 'node:net';
import { listen } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readNetworks } from './addresses.ts';
import { AddressRefused, DestinationCheck, type Resolve } from './destination-check.ts';

const lookUp = (check: DestinationCheck, options = { all: true }) =>
  new Promise((resolve, reject) => {
    check.lookup('mail.example.com', options, (error, found) => (error ? reject(error) : resolve(found)));
  });

describe('the check of a destination', () => {
  test('returns the addresses that it checked, and none when one of them is refused', async () => {
    const addresses = ['93.184.216.34', '2606:4700::1111'];
    const check = new DestinationCheck([], async () => addresses);
    const found = [
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ];
    expect(await lookUp(check)).toEqual(found);
    addresses.push('10.0.0.1');
    await expect(lookUp(check)).rejects.toThrow(AddressRefused);
  });

  test.each(['127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1', 'fe80::1%eth0', '0.0.0.0'])(
    'refuses the host %s',
    (host) => {
      const check = new DestinationCheck([]);
      expect(() => check.requireReachable(host)).toThrow(AddressRefused);
    },
  );
});

/** The result of a resolver: addresses that no test connects to beyond this machine, or other values. */
const address = fc.constantFrom('127.0.0.1', '127.0.0.2', '::1');
const garbage = fc.constantFrom('', 'no address', 'fe80::1%eth0', '1.2.3.4\n', null, undefined, 4, {}, []);
const list = fc.oneof(
  fc.array(address, { maxLength: 3 }),
  fc.array(fc.oneof(address, garbage), { maxLength: 3 }),
  fc.constant(Array.from({ length: 1000 }, (_, n) => `127.0.${n >> 8}.${n & 255}`)),
  fc.constant(['93.184.216.34', '10.0.0.1']),
  garbage,
);
const failure = fc.constantFrom(undefined, null, 'ENOTFOUND', {}, new Error('ENOTFOUND'));

/** Everything that a resolver can do. */
const resolver = fc.oneof(
  list.map((found) => async () => found),
  failure.map((reason) => () => Promise.reject(reason)),
  failure.map((reason) => () => {
    throw reason;
  }),
  fc.constant(() => new Promise(() => {})),
  fc.tuple(list, failure).map(([found, reason]) => () => ({
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library, which settles twice.
    then(resolve: (value: unknown) => void, reject: (reason: unknown) => void) {
      resolve(found);
      reject(reason);
      resolve([]);
      throw reason;
    },
  })),
) as fc.Arbitrary<Resolve>;

describe('a look-up, whatever its resolver does,', () => {
  const check = (resolve: Resolve) =>
    new DestinationCheck(readNetworks('TEST', '127.0.0.0/8, ::1/128'), resolve, 5);
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((socket) => socket.destroy());
    port = await listen(server);
  });
  afterAll(() => {
    server.close();
  });

  test('ends once, with a few addresses or an error', async () => {
    const ends = fc.asyncProperty(resolver, fc.boolean(), async (resolve, all) => {
      const calls: Parameters<Parameters<DestinationCheck['lookup']>[2]>[] = [];
      check(resolve).lookup('mail.example.com', { all }, (...result) => calls.push(result));
      await new Promise((after) => setTimeout(after, 10));
      expect(calls).toHaveLength(1);
      const [error, found] = calls[0]!;
      if (error !== null) return expect(error).toBeInstanceOf(Error);
      const addresses = typeof found === 'string' ? [found] : found.map((each) => each.address);
      expect(addresses.length).toBeGreaterThan(0);
      expect(addresses.length).toBeLessThanOrEqual(8);
      return expect(addresses.filter((each) => isIP(each) === 0)).toEqual([]);
    });
    await fc.assert(ends);
  });

  test('lets a connection end by itself', async () => {
    const ends = fc.asyncProperty(resolver, fc.boolean(), async (resolve, autoSelectFamily) => {
      const network = { lookup: check(resolve).lookup, autoSelectFamily };
      const socket = connect({
        host: 'mail.example.com',
        port,
        ...network,
        signal: AbortSignal.timeout(100),
      });
      socket.on('error', () => {});
      await new Promise((closed) => socket.once('close', closed));
    });
    await fc.assert(ends);
  });
});
