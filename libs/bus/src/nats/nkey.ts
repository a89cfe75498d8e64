import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { createUser, fromSeed } from '@nats-io/nkeys';
import type { Authenticator } from '@nats-io/transport-node';

/** The DER of an Ed25519 private key before its 32 bytes (RFC 8410, section 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The first byte of a user's public nkey: in base32, U. */
const USER_PREFIX = 20 << 3;
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
  const key = privateKeyOf(seed);
  const nkey = publicNkeyOf(key);
  return (nonce = '') => ({ nkey, sig: sign(null, Buffer.from(nonce), key).toString('base64') });
}

/** A new nkey of a user: the public key (`U…`) and the seed (`SU…`). */
export function createNkey(): { readonly publicKey: string; readonly seed: string } {
  const seed = new TextDecoder().decode(createUser().getSeed());
  return { publicKey: publicNkeyOf(privateKeyOf(seed)), seed };
}

function privateKeyOf(seed: string): KeyObject {
  // Checks the prefix and the checksum.
  fromSeed(new TextEncoder().encode(seed));
  const rawSeed = base32Decoded(seed).subarray(RAW_SEED.start, RAW_SEED.end);
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, rawSeed]), format: 'der', type: 'pkcs8' });
}

/** A user's public key as NATS writes it: prefix, key and CRC-16/XMODEM in base32 (RFC 4648, section 6), unpadded. */
function publicNkeyOf(key: KeyObject): string {
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url');
  const body = Buffer.concat([Buffer.from([USER_PREFIX]), publicKey]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(body));
  return base32(Buffer.concat([body, checksum]));
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replaceAll(/.{1,5}/g, (five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]!);
}

function base32Decoded(text: string): Buffer {
  const bits = [...text].map((character) => BASE32.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}
