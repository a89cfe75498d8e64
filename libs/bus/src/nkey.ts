import { createUser, fromSeed } from '@nats-io/nkeys';
import { type Authenticator, nkeyAuthenticator as authenticatorOf } from '@nats-io/transport-node';

/**
 * Proves possession of an nkey to a NATS server.
 *
 * @param seed of a user (`SU…`); throws the library's error for anything else.
 */
export function nkeyAuthenticator(seed: string): Authenticator {
  const bytes = Buffer.from(seed);
  fromSeed(bytes);
  return authenticatorOf(bytes);
}

/** A new nkey of a user: the public key (`U…`) and the seed (`SU…`). */
export function createNkey(): { readonly publicKey: string; readonly seed: string } {
  const user = createUser();
  return { publicKey: user.getPublicKey(), seed: new TextDecoder().decode(user.getSeed()) };
}
