import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { grantSecretPrefixes, hashGrantSecret, isGrantSecret, newGrantSecret } from './grant-secret.ts';

const kind = fc.constantFrom('operation', 'routine');
const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-'];

describe('a grant secret', () => {
  test('has the prefix of its kind and 49 base62 characters, and is recognised', () => {
    fc.assert(
      fc.property(kind, (kind) => {
        const secret = newGrantSecret(kind);
        expect(secret).toMatch(/^ap[or]_[0-9A-Za-z]{49}$/);
        expect(secret.startsWith(grantSecretPrefixes[kind])).toBe(true);
        expect(isGrantSecret(secret)).toBe(true);
      }),
    );
  });

  test('is never the same twice', () => {
    const secrets = Array.from({ length: 1000 }, () => newGrantSecret('routine'));
    expect(new Set(secrets).size).toBe(1000);
  });

  // A CRC32 detects every change within 32 neighbouring bits.
  test('is refused when any one character is another', () => {
    fc.assert(
      fc.property(kind, fc.nat(52), fc.constantFrom(...alphabet), (kind, position, character) => {
        const secret = newGrantSecret(kind);
        fc.pre(secret[position] !== character);
        expect(isGrantSecret(secret.slice(0, position) + character + secret.slice(position + 1))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('is refused with anything missing or added', () => {
    const secret = newGrantSecret('operation');
    for (const other of [
      secret.slice(0, -1),
      secret.slice(1),
      `${secret}0`,
      `${secret}\n`,
      ` ${secret}`,
      '',
    ]) {
      expect(isGrantSecret(other)).toBe(false);
    }
  });

  test('keeps its format: a precomputed secret is recognised', () => {
    // The CRC32 of "apo_" and 43 zeros is 0xc7da5729, which is 3euk0H in base62.
    expect(isGrantSecret(`apo_${'0'.repeat(43)}3euk0H`)).toBe(true);
  });
});

test('the hash of a secret is its SHA-256 in base64url', () => {
  // SHA-256 of "abc" from FIPS 180-2, appendix B.1.
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(hashGrantSecret('abc')).toBe(Buffer.from(digest, 'hex').toString('base64url'));
});
