import { hash } from 'node:crypto';

/** A code that the sign-in page gave. */
export interface AuthorizationCode {
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly challenge: string;
  readonly method: string;
  readonly person: string;
  readonly givenAt: number;
  isRedeemed?: boolean;
}

/** "Typically, they expire after about 10 minutes." */
const CODE_MS = 600_000;

/** Microsoft's number of the reason why a code is refused; undefined when it counts. */
export function problemOf(code: AuthorizationCode, form: URLSearchParams): number | undefined {
  if (code.isRedeemed) return 54005;
  if (Date.now() - code.givenAt > CODE_MS) return 70008;
  if (form.get('redirect_uri') !== code.redirect_uri) return 50011;
  const verifier = form.get('code_verifier') ?? '';
  const challenge = code.method === 'S256' ? hash('sha256', verifier, 'base64url') : verifier;
  return challenge === code.challenge ? undefined : 501481;
}
