import { hash, randomBytes } from 'node:crypto';
import type { SignIn } from './tokens.ts';

/** How long an authorization code is valid, in milliseconds. */
const LIFETIME_MS = 60_000;

/** The sign-in that a code stands for, and what its redemption has to show. */
interface GrantedSignIn extends SignIn {
  readonly userId: string;
  readonly redirectUri: string;
  /** The code challenge of PKCE, S256 (RFC 7636, section 4.2). */
  readonly challenge: string;
}

/** Authorization codes (RFC 6749, section 4.1.2): each code can be redeemed once, within a minute. */
export class AuthorizationCodes {
  readonly #granted = new Map<string, GrantedSignIn>();

  grant(signIn: GrantedSignIn): string {
    const code = randomBytes(32).toString('base64url');
    this.#granted.set(code, signIn);
    setTimeout(() => this.#granted.delete(code), LIFETIME_MS).unref();
    return code;
  }

  /** The sign-in of the code in a token request. A wrong redirect URI or verifier ends the code too. */
  redeem(form: URLSearchParams): GrantedSignIn | undefined {
    const code = form.get('code') ?? '';
    const granted = this.#granted.get(code);
    this.#granted.delete(code);
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    return granted?.redirectUri === form.get('redirect_uri') && granted.challenge === challenge
      ? granted
      : undefined;
  }
}
