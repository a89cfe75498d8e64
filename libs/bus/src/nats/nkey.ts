import { createPrivateKey, sign } from 'node:crypto';
import { createUser, fromSeed } from '@nats-io/nkeys';
import type { Authenticator } from '@nats-io/transport-node';

/** The DER of an Ed25519 private key before its 32 bytes (RFC 8410, section 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** A seed is two bytes of prefix, the raw seed and a checksum. */
const RAW_SEED = { start: 2, end: 34 };
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Proves possession of an nkey to a NATS server with Node's Ed25519. The library's own authenticator computes in JavaScript, which holds
 * the event loop for 25 ms at each connection.
 *
 * @param seed of a user (`SU…`); throws the library's error for anything else.
 */
export function nkeyAuthenticator(seed: string): Authenticator {
  const nkey = fromSeed(new TextEncoder().encode(seed)).getPublicKey();
  const rawSeed = base32Decoded(seed).subarray(RAW_SEED.start, RAW_SEED.end);
  const der = Buffer.concat([ED25519_PKCS8, rawSeed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return (nonce = '') => ({ nkey, sig: sign(null, Buffer.from(nonce), key).toString('base64') });
}

/** A new nkey of a user: the public key (`U…`) and the seed (`SU…`). */
export function createNkey(): { readonly publicKey: string; readonly seed: string } {
  const user = createUser();
  return { publicKey: user.getPublicKey(), seed: new TextDecoder().decode(user.getSeed()) };
}

function base32Decoded(text: string): Buffer {
  const bits = [...text].map((character) => BASE32.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
