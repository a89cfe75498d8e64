import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { CLOCK_TOLERANCE_S } from './issuer-clock.ts';
import { ALGORITHMS, isAcceptedType, TokenRefused } from './token-refused.ts';

/**
 * How many signatures are verified at a time. A verification takes a third of a millisecond of the event loop: during a flood of unknown
 * tokens, other work goes on in between.
 */
export const VERIFIED_AT_ONCE = 4;

/** The last moment that a Date can hold, in seconds since the epoch. */
const END_OF_TIME = 8_640_000_000_000;

/** The claims that a token must have. */
interface Expected {
  readonly issuer: string;
  /** A token names at least one of them (RFC 7519, section 4.1.3). */
  readonly audience: string | string[];
  /** The names of further claims. */
  readonly required: string[];
}

/** The header of a token and the issuer that it names, before its signature is verified. @throws TokenRefused for another type or algorithm */
export function decodeToken(token: string): { readonly header: JWTHeaderParameters; readonly iss: unknown } {
  let decoded: ReturnType<typeof decodeToken>;
  try {
    decoded = { header: decodeProtectedHeader(token) as JWTHeaderParameters, iss: decodeJwt(token).iss };
  } catch {
    throw TokenRefused.malformed();
  }
  const { typ, alg } = decoded.header;
  if (!isAcceptedType(typ)) throw TokenRefused.ofType();
  if (!ALGORITHMS.includes(String(alg))) throw TokenRefused.ofAlgorithm();
  return decoded;
}

/** The payload of a token that one of these keys has signed. Throws the errors of the library. */
export async function verifySignature(
  token: string,
  keys: readonly CryptoKey[],
  { issuer, audience, required }: Expected,
): Promise<JWTPayload> {
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    requiredClaims: required,
    clockTolerance: CLOCK_TOLERANCE_S,
  };
  for (const key of keys) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/** Whether a claim is a time (RFC 7519, section 2, NumericDate) or absent. `1e999` in JSON is infinite, and not a time. */
export function isTime(claim: unknown): boolean {
  return claim === undefined || (typeof claim === 'number' && Math.abs(claim) <= END_OF_TIME);
}
