import type { TestIssuer } from '@action-platform/testing';
import { AccessToken, type GrantInUse, type SignIns } from './sign-ins.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SUBJECT = 'system:serviceaccount:reports:nightly';
/** How many tokens a job has one after the other from a grant, and how many calls it makes with each. */
const TOKENS = 6;
const CALLS = 25;
const CALLS_AFTER_END = 3;

/** A job that shows the token of its workload, again and again. */
export class Job {
  readonly #signIns: SignIns;
  readonly #issuer: TestIssuer;
  #last: GrantInUse | undefined;

  constructor(signIns: SignIns, issuer: TestIssuer) {
    this.#signIns = signIns;
    this.#issuer = issuer;
  }

  async run(): Promise<void> {
    while (!this.#signIns.isStopping) await this.#live();
  }

  /** Gets a token of the grant that nothing ended, and calls with it. */
  async callLast(): Promise<void> {
    if (this.#last !== undefined) await this.#signIns.call(this.#last, await this.#token(this.#last));
  }

  async #live(): Promise<void> {
    const grant = await this.#create();
    this.#last = grant;
    const kept = await this.#token(grant);
    for (let n = 0; n < TOKENS && !this.#signIns.isStopping; n++) {
      const token = await this.#token(grant);
      await this.#call(grant, token, CALLS);
      // One token ends alone, and the one beside it goes on.
      await this.#signIns.end(token.endings, () => this.#signIns.revoke({ token: token.secret }));
      await this.#call(grant, token, CALLS_AFTER_END);
      await this.#call(grant, kept, CALLS_AFTER_END);
    }
    if (this.#signIns.isStopping) return;
    this.#last = undefined;
    await this.#signIns.end(grant.endings, () =>
      this.#signIns.owner.json('DELETE', `/api/v1/operation-grants/${grant.grant}`),
    );
    for (const token of grant.tokens.slice(0, 2)) await this.#call(grant, token, CALLS_AFTER_END);
  }

  async #call(grant: GrantInUse, token: AccessToken, times: number): Promise<void> {
    for (let n = 0; n < times; n++) await this.#signIns.call(grant, token);
  }

  async #create(): Promise<GrantInUse> {
    const { grantsExpireAt: expiresAt } = this.#signIns.fixture;
    const trust = { issuer: this.#issuer.issuer, subject: SUBJECT };
    const asked = { operationScope: 'record_store.get_record', expiresAt, trust };
    const idempotencyKey = crypto.randomUUID();
    const created = await this.#signIns.owner.json('POST', '/api/v1/operation-grants', {
      ...{ ...asked, idempotencyKey },
    });
    return this.#signIns.begin(created.grant.id, false);
  }

  /** An access token; a gateway may learn a replaced key of the issuer a moment later. */
  async #token(grant: GrantInUse): Promise<AccessToken> {
    return await this.#signIns.until(async () => {
      const begunAt = performance.now();
      const aud = `${this.#signIns.publicUrl}/oauth/token`;
      const assertion = await this.#issuer.token({ workspaceId: 'none', userId: SUBJECT }, { aud });
      const form = { grant_type: JWT_BEARER, grant_id: grant.grant, assertion };
      const answer = await this.#signIns.ask('token', form);
      if (answer?.status !== 200) return undefined;
      const token = new AccessToken(answer.json, begunAt);
      grant.tokens.push(token);
      return token;
    });
  }
}
