import { BlockList } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isReachable, readNetworks } from './addresses.ts';

test.each([
  ['8.8.8.8', '', true],
  ['2606:4700::1111', '', true],
  ['10.1.2.3', '', false],
  ['10.1.2.3', '10.0.0.0/8', true],
  ['::ffff:10.1.2.3', '10.0.0.0/8', false],
  ['fd00::1', '10.0.0.0/8, fd00::/8', true],
  ['4000::1', '', false],
  ['not an address', '', false],
])('%s with the allowed networks "%s": %s', (address, networks, expected) => {
  expect(isReachable(address, readNetworks('WEBHOOK_ALLOWED_NETWORKS', networks))).toBe(expected);
});

test.each(['10.0.0.0', '10.0.0.0/33', 'intranet'])('%s is no network', (list) => {
  expect(() => readNetworks('WEBHOOK_ALLOWED_NETWORKS', list)).toThrow('WEBHOOK_ALLOWED_NETWORKS');
});

/** The blocks that the Internet does not route to one host (IANA IPv4 Special-Purpose Address Registry, RFC 5771). */
const special = new BlockList();
for (const block of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [net = '', prefix] = block.split('/');
  special.addSubnet(net, Number(prefix));
}

describe('any address', () => {
  test('of IPv4 in a special block is refused, also within an address of IPv6', () => {
    const near = fc.constantFrom(...[0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255]);
    const octets = fc.tuple(fc.oneof(near, fc.nat(255)), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(octets, (parts) => {
        const address = parts.join('.');
        if (special.check(address)) expect([address, isReachable(address, [])]).toEqual([address, false]);
        for (const within of [`::ffff:${address}`, `64:ff9b::${address}`, `::${address}`])
          expect([within, isReachable(within, [])]).toEqual([within, false]);
      }),
    );
  });

  test('of IPv6 outside 2000::/3 is refused', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(address.split(':')[0] || '0', 16);
        if (first >> 13 !== 1) expect([address, isReachable(address, [])]).toEqual([address, false]);
      }),
    );
  });
});
