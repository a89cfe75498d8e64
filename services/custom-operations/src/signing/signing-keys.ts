import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { readSecretKeys } from '@action-platform/sealing';
import type { JWK } from 'jose';

const VARIABLE = 'CUSTOM_OPERATION_SIGNING_KEYS';

/** How long a process publishes a new key before it signs with it, in milliseconds: receivers keep the key set for less. */
const PUBLISHED_FIRST_MS = 10 * 60_000;

/** A key of ES256 (RFC 7518, section 3.4). */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  /** As a JWK (RFC 7517). */
  readonly publicKey: JWK;
}

/** The keys that sign the tokens of calls. */
export class SigningKeys {
  /** All keys, the newest first; receivers accept each. */
  readonly all: readonly SigningKey[];
  readonly #startedAt: number;

  /**
   * @param list `id:key` as in `MAIL_SECRET_KEYS`, the newest first: the 32 bytes are a private key of the curve P-256.
   * @throws WrongConfiguration
   */
  constructor(list: string | undefined, now = performance.now()) {
    this.all = [...readSecretKeys(VARIABLE, list).byId].map(([id, secret]) =>
      signingKey(id, secret.export()),
    );
    this.#startedAt = now;
  }

  /**
   * The key that signs now: for ten minutes after the start of the process the one before the newest, if there is one, because replicas
   * that were started earlier do not publish the newest. Undefined without keys.
   */
  current(now = performance.now()): SigningKey | undefined {
    const [newest, former] = this.all;
    return now - this.#startedAt < PUBLISHED_FIRST_MS ? (former ?? newest) : newest;
  }
}

function signingKey(kid: string, secret: Buffer): SigningKey {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(secret);
  } catch {
    throw new WrongConfiguration([`${VARIABLE}: ${kid} is no private key of P-256`]);
  }
  // An uncompressed point: 4, and the coordinates.
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = { kty: 'EC', crv: 'P-256', x: x!, y: y! };
  const privateKey = createPrivateKey({ format: 'jwk', key: { ...key, d: secret.toString('base64url') } });
  return { id: kid, privateKey, publicKey: { ...key, kid, alg: 'ES256', use: 'sig' } };
}
