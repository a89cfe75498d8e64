import { expect, test } from '@jest/globals';
import { createUser, fromPublic } from '@nats-io/nkeys';
import { nkeyAuthenticator } from './nkey.ts';

test('an nkey has the public key and the signature of the nkeys library', () => {
  for (let n = 0; n < 20; n++) {
    const user = createUser();
    const authenticate = nkeyAuthenticator(new TextDecoder().decode(user.getSeed()));
    const { nkey, sig } = authenticate('a nonce') as { nkey: string; sig: string };
    expect(nkey).toBe(user.getPublicKey());
    expect(fromPublic(nkey).verify(Buffer.from('a nonce'), Buffer.from(sig, 'base64'))).toBe(true);
  }
});

test('a malformed seed is refused', () => {
  expect(() => nkeyAuthenticator('nonsense')).toThrow();
});
