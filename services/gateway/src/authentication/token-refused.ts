import { ActionError, type ErrorCode } from '@action-platform/contracts/errors';
import { errors } from 'jose';
import { KeysUnreachable } from './issuer-keys.ts';

/** The permitted signature algorithms of session tokens: only asymmetric ones. */
export const ALGORITHMS = ['EdDSA', 'ES256', 'RS256', 'PS256'];

/** The permitted types of session tokens (RFC 7519, section 5.1; RFC 9068, section 2.1). */
const TYPES = ['jwt', 'at+jwt'];

/** Whether a token may declare this type; a token without a type is accepted. `application/` is optional (RFC 7515, section 4.1.9). */
export function isAcceptedType(typ: unknown): boolean {
  if (typeof typ !== 'string') return typ === undefined;
  return TYPES.includes(typ.toLowerCase().replace(/^application\//, ''));
}

/** The message for a token without a verified signature. `UNTRUSTED` reveals neither the trusted issuers nor their keys. */
const UNTRUSTED = 'The access token was not signed by an issuer that this platform trusts.';

/**
 * The refusal of a token. `reason` is for the log, and quotes nothing of the token. `message` is for the caller, and names only
 * claims of a verified token.
 */
export class TokenRefused extends ActionError {
  readonly reason: string;

  constructor(code: ErrorCode, reason: string, message?: string) {
    super(code, { message });
    this.reason = reason;
  }

  /** A verified token with a missing or wrong claim. */
  static claim(name: string, reason: string, message: string): TokenRefused {
    return new TokenRefused('invalid_token', `claim ${name} ${reason}`, message);
  }

  /** A text that is not a token. */
  static malformed(): TokenRefused {
    const message = 'The access token is neither a signed JWT nor a grant secret: was it copied whole?';
    return new TokenRefused('invalid_token', 'not a signed JWT', message);
  }

  /** A JWT made for another purpose, such as a logout token or a DPoP proof. */
  static ofType(): TokenRefused {
    const message = 'The access token is of a type that is not accepted: typ must be JWT, at+jwt or absent.';
    return new TokenRefused('invalid_token', 'typ is neither JWT nor at+jwt', message);
  }

  /** A token with an unsupported signature algorithm. */
  static ofAlgorithm(): TokenRefused {
    const accepted = ALGORITHMS.join(', ');
    const message = `The access token is signed in a way that is not accepted: alg must be one of ${accepted}.`;
    return new TokenRefused('invalid_token', `alg is none of ${accepted}`, message);
  }

  /** A token of an issuer that is not configured. */
  static ofIssuer(issuers: readonly string[]): TokenRefused {
    const trusted = issuers.length > 3 ? `one of the ${issuers.length} issuers` : issuers.join(' or ');
    return new TokenRefused('invalid_token', `iss is not ${trusted}`, UNTRUSTED);
  }

  /** An error of the library: a token that fails is the caller's fault, unreachable keys are the platform's. */
  static because(error: unknown, audience: string): TokenRefused {
    if (error instanceof TokenRefused) return error;
    if (error instanceof errors.JWTExpired) return TokenRefused.expired();
    if (error instanceof errors.JWTClaimValidationFailed) return ofClaim(error, audience);
    if (error instanceof errors.JWKSNoMatchingKey) {
      return new TokenRefused('invalid_token', 'no key of its issuer matches kid and alg', UNTRUSTED);
    }
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      return new TokenRefused('invalid_token', 'signature is wrong', UNTRUSTED);
    }
    if (error instanceof KeysUnreachable) {
      return new TokenRefused('action_platform_unavailable', `JWKS unreachable: ${error.message}`);
    }
    // The checks before the look-up of the issuer name their reason; here a reason would confirm that the issuer exists.
    if (error instanceof errors.JOSEError)
      return new TokenRefused('invalid_token', 'not a signed JWT', UNTRUSTED);
    return new TokenRefused('action_platform_unavailable', 'a key of its issuer cannot be used');
  }

  static expired(): TokenRefused {
    return new TokenRefused('token_expired', 'exp is past');
  }
}

function ofClaim({ claim, reason }: errors.JWTClaimValidationFailed, audience: string): TokenRefused {
  if (reason === 'missing')
    return TokenRefused.claim(claim, 'missing', `The session token has no claim ${claim}.`);
  if (claim === 'aud') {
    const message =
      'The claim aud of the session token does not name this platform: the token is for another service.';
    return new TokenRefused('invalid_token', `aud is not ${audience}`, message);
  }
  if (claim === 'nbf' && reason === 'check_failed') {
    return TokenRefused.claim(claim, 'in the future', 'The session token is not valid yet (nbf).');
  }
  return TokenRefused.claim(claim, 'malformed', `The claim ${claim} of the session token is malformed.`);
}
