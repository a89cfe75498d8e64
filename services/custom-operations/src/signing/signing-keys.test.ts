import { randomBytes } from 'node:crypto';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { expect, test } from '@jest/globals';
import { SigningKeys } from './signing-keys.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const MINUTE = 60_000;

test('a new key is published at once and signs ten minutes after the start; the former one does until then', () => {
  const keys = new SigningKeys(`${key('new')}\n${key('former')}`, 0);
  expect(keys.all.map(({ publicKey }) => publicKey.kid)).toEqual(['new', 'former']);
  expect(keys.current(0)!.id).toBe('former');
  expect(keys.current(10 * MINUTE - 1)!.id).toBe('former');
  expect(keys.current(10 * MINUTE)!.id).toBe('new');
});

test('a key alone signs at once, and a service without keys signs nothing', () => {
  expect(new SigningKeys(key('only'), 0).current(0)!.id).toBe('only');
  expect(new SigningKeys(undefined).current()).toBeUndefined();
});

test('no public key has a private member', () => {
  const { publicKey } = new SigningKeys(key('only')).all[0]!;
  expect(Object.keys(publicKey).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

test('32 bytes that are no private key are a wrong configuration, which quotes none', () => {
  const zero = Buffer.alloc(32).toString('base64');
  const reading = () => new SigningKeys(`odd:${zero}`);
  expect(reading).toThrow(WrongConfiguration);
  expect(reading).not.toThrow(zero);
});
