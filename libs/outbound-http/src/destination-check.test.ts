import { describe, expect, test } from '@jest/globals';
import { AddressRefused, DestinationCheck } from './destination-check.ts';

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
    await expect(lookUp(new DestinationCheck([], async () => []))).rejects.toThrow(AddressRefused);
  });

  test.each(['127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1', 'fe80::1%eth0', '0.0.0.0'])(
    'refuses the host %s',
    (host) => {
      const check = new DestinationCheck([]);
      expect(() => check.requireReachable(host)).toThrow(AddressRefused);
    },
  );
});
