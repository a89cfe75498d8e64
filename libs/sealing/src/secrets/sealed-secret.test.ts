import { randomBytes } from 'node:crypto';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openSecret, type SealedSecret, SecretUnreadable, sealSecret } from './sealed-secret.ts';
import { keysFor, readSecretKeys } from './secret-keys.ts';

const VARIABLE = 'MAIL_SECRET_KEYS';

const newKey = () => randomBytes(32).toString('base64');
const [first, second] = [`k1:${newKey()}`, `k2:${newKey()}`];
const keys = readSecretKeys(VARIABLE, first);
const owner = ['ws_1', 'mac_1'];

/** The secret with one bit of its data changed. */
function flipped({ key, data }: SealedSecret, bit: number): SealedSecret {
  const bytes = Buffer.from(data, 'base64');
  const at = bit % (bytes.length * 8);
  bytes[at >> 3]! ^= 1 << (at & 7);
  return { key, data: bytes.toString('base64') };
}

describe('a sealed secret', () => {
  test('opens for its owner, and never with a changed bit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (secret, bit) => {
        const sealed = sealSecret(secret, owner, keys);
        expect(openSecret(sealed, owner, keys)).toBe(secret);
        expect(() => openSecret(flipped(sealed, bit), owner, keys)).toThrow(SecretUnreadable);
      }),
    );
  });

  test('does not contain the secret, and is another one each time', () => {
    const [one, other] = [1, 2].map(() => sealSecret('open sesame', owner, keys).data);
    expect(one).not.toBe(other);
    expect(Buffer.from(one!, 'base64').toString('latin1')).not.toContain('sesame');
  });

  test.each([
    ['account', ['ws_1', 'mac_2']],
    ['Workspace', ['ws_2', 'mac_1']],
    ['account and Workspace, though their texts join to the same', ['ws_1mac', '_1']],
  ])('does not open for another %s', (_what, other) => {
    expect(() => openSecret(sealSecret('s', owner, keys), other, keys)).toThrow(SecretUnreadable);
  });

  test('does not open without its key, or with a shorter tag', () => {
    const sealed = sealSecret('s', owner, keys);
    expect(() => openSecret(sealed, owner, readSecretKeys(VARIABLE, second))).toThrow('has no key k1');
    const short = Buffer.from(sealed.data, 'base64').subarray(0, -1).toString('base64');
    for (const data of [short, '', 'AAAA']) {
      expect(() => openSecret({ ...sealed, data }, owner, keys)).toThrow(SecretUnreadable);
    }
  });

  test('needs any of the keys, and the first one encrypts', () => {
    const sealed = sealSecret('s', owner, keys);
    const both = readSecretKeys(VARIABLE, `${second}\n${first}`);
    expect(openSecret(sealed, owner, both)).toBe('s');
    expect(sealSecret('s', owner, both).key).toBe('k2');
    expect(() => sealSecret('s', owner, readSecretKeys(VARIABLE))).toThrow('MAIL_SECRET_KEYS');
  });
});

describe('MAIL_SECRET_KEYS', () => {
  test('is a list of ids and keys', () => {
    expect([...readSecretKeys(VARIABLE, ` ${first},${second}\n`).byId.keys()]).toEqual(['k1', 'k2']);
    expect(readSecretKeys(VARIABLE, '').newest).toBeUndefined();
  });

  test.each([
    ['a key that is too short', `k1:${randomBytes(31).toString('base64')}`],
    ['no id', `:${newKey()}`],
    ['no key', 'k1'],
    ['an id with other characters', `k/1:${newKey()}`],
    ['more than an id and a key', `${first}:x`],
    ['an id twice', `k1:${newKey()},k1:${newKey()}`],
  ])('with %s is a wrong configuration that quotes no key', (_what, list) => {
    const reading = () => readSecretKeys(VARIABLE, list);
    expect(reading).toThrow(WrongConfiguration);
    const encoded = list.split(/[:,]/).find((part) => part.length > 40) ?? 'no key';
    expect(reading).not.toThrow(encoded);
  });
});

test('keys for a purpose open nothing of another purpose', () => {
  const of = (purpose: string) => keysFor(purpose, readSecretKeys('SEAL_KEYS', first));
  const sealed = sealSecret('s', owner, of('one'));
  expect(openSecret(sealed, owner, of('one'))).toBe('s');
  expect(() => openSecret(sealed, owner, of('two'))).toThrow(SecretUnreadable);
});
