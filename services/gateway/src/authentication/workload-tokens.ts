import type { WorkloadIssuer } from '@action-platform/contracts/configuration';
import type { Logger } from '@action-platform/service-host';
import pLimit from 'p-limit';
import { latestIssuerTime } from './issuer-clock.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { TokenRefused } from './token-refused.ts';
import { decodeToken, isTime, VERIFIED_AT_ONCE, verifySignature } from './verify-signature.ts';

/** The longest time that a token may still be valid, in seconds. */
const MAX_LIFETIME_S = 86_400;

/** The claims of a verified token about its workload. */
export interface Workload {
  readonly issuer: string;
  readonly subject: string;
  /** The token's claims that are texts. */
  readonly claims: Readonly<Record<string, string>>;
}

/** Verifies the tokens that platforms such as Kubernetes and GitHub give their workloads (RFC 7523, section 3). */
export class WorkloadTokens {
  readonly #keys: ReadonlyMap<unknown, IssuerKeys>;
  readonly #audience: string;
  readonly #verifying = pLimit(VERIFIED_AT_ONCE);

  /** @param audience the address of the token endpoint, which tokens must name. */
  constructor(issuers: readonly WorkloadIssuer[], audience: string, log: Logger) {
    this.#keys = new Map(issuers.map((issuer) => [issuer.issuer, new IssuerKeys(issuer, log)]));
    this.#audience = audience;
  }

  /** @param deadline in milliseconds of `performance.now()`. @throws TokenRefused */
  async verify(token: string, deadline: number): Promise<Workload> {
    const { header, iss } = decodeToken(token);
    const issuer = String(iss);
    const keys = this.#keys.get(iss);
    if (keys === undefined) throw TokenRefused.ofIssuer([...this.#keys.keys()].map(String));
    const expected = { issuer, audience: this.#audience, required: ['exp', 'sub'] };
    const { exp, iat, nbf, ...others } = await keys
      .find(header, deadline)
      .then((found) => this.#verifying(verifySignature, token, found, expected))
      .catch((error: unknown) => {
        throw TokenRefused.because(error, this.#audience);
      });
    if (typeof exp === 'number' && exp * 1000 <= Date.now()) throw TokenRefused.expired();
    if (![exp, iat, nbf].every(isTime) || exp! - latestIssuerTime() > MAX_LIFETIME_S)
      throw TokenRefused.claim('exp', 'more than a day ahead', 'The token lives longer than a day (exp).');
    const { sub } = others;
    if (typeof sub !== 'string') throw TokenRefused.claim('sub', 'malformed', 'The claim sub is malformed.');
    const texts = Object.entries(others).filter(
      (claim): claim is [string, string] => typeof claim[1] === 'string',
    );
    return { issuer, subject: sub, claims: Object.fromEntries(texts) };
  }
}
