import { approvalRoutes, FRESH_SIGN_IN_SECONDS } from '@action-platform/contracts';
import type { LocalPlatform } from '../../local-platform.ts';
import type { Fixture } from '../workload/fixture.ts';

/** How long a token of the console is used, in milliseconds. */
const USED_MS = (FRESH_SIGN_IN_SECONDS * 1000) / 2;

/** An Owner at the console: holds the writes of a Workspace, and approves each. */
export class Approver {
  readonly #fixture: Fixture;
  #token: Promise<string> | undefined;
  #since = 0;

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  /** Has every write wait from now on. */
  async holdAll(): Promise<void> {
    await this.#send(approvalRoutes.setRules.path, 'PUT', { revision: 0, rules: [{}] });
  }

  /** Approves a call that waits. A refusal counts as such, because the next attempt of the call shows what it meant. */
  readonly approve = async (id: string): Promise<void> => {
    await this.#send(approvalRoutes.decide.path.replace('{id}', id), 'POST', { decision: 'approve' });
  };

  async #send(path: string, method: string, input: object): Promise<void> {
    await this.#fixture.session.ask({ method, path, input, token: await this.#fresh(), read: () => ({}) });
  }

  #fresh(): Promise<string> {
    if (this.#token === undefined || performance.now() - this.#since > USED_MS) {
      const { platform, workspace, owners } = this.#fixture;
      this.#token = (platform as LocalPlatform).operator.freshToken(workspace, owners[0]!.user);
      this.#since = performance.now();
    }
    return this.#token;
  }
}
