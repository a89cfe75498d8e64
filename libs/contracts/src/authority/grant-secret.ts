import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix of each kind of secret of a grant, by which people and secret scanners recognise them. */
export const grantSecretPrefixes = {
  operation: 'apo_',
  routine: 'apr_',
  /** An access token of ten minutes, of an agent or a job. */
  access: 'apt_',
  /** The refresh token of an agent, with which it gets the next access token. No call takes it. */
  refresh: 'apf_',
  /** The code that an agent exchanges for its first tokens. No call takes it. */
  code: 'apc_',
} as const;
export type SecretKind = keyof typeof grantSecretPrefixes;

const RANDOM_BYTES = 32;
/** 62^43 > 2^256: the digits that 32 bytes need. */
const RANDOM_DIGITS = 43;
/** 62^6 > 2^32: the digits that a CRC32 needs. */
const CHECKSUM_DIGITS = 6;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY = new RegExp(`^[0-9A-Za-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`);

/**
 * A new secret of a grant: the prefix of its kind, 32 random bytes in base62, and a checksum in base62; always 53
 * characters. The checksum is the CRC32 (ISO/IEC 13239, as in zlib) of everything before it, the prefix included.
 */
export function newGrantSecret(kind: SecretKind): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  const body = grantSecretPrefixes[kind] + base62(random, RANDOM_DIGITS);
  return body + checksumOf(body);
}

/**
 * Whether a token has the form of a secret of one of these kinds, with the right checksum. The gateway refuses a mistyped or truncated
 * secret by this alone, without a look-up. A well-formed secret may still belong to no grant.
 */
export function isGrantSecret(
  token: string,
  kinds: readonly SecretKind[] = ['operation', 'routine', 'access'],
): boolean {
  const prefix = kinds.map((kind) => grantSecretPrefixes[kind]).find((each) => token.startsWith(each));
  if (prefix === undefined || !BODY.test(token.slice(prefix.length))) return false;
  return checksumOf(token.slice(0, -CHECKSUM_DIGITS)) === token.slice(-CHECKSUM_DIGITS);
}

/** The SHA-256 of a secret in base64url. The grants service stores only this hash and finds a grant by it. */
export function hashGrantSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_DIGITS);
}

/** A number in base62, with leading zeros up to this many digits. */
function base62(value: bigint, digits: number): string {
  let text = '';
  for (let quotient = value; text.length < digits; quotient /= 62n)
    text = ALPHABET[Number(quotient % 62n)] + text;
  return text;
}
