import { setTimeout as delay } from 'node:timers/promises';
import { approvalRoutes, FRESH_SIGN_IN_SECONDS } from '@action-platform/contracts';
import { send } from '../../http.ts';
import type { LocalPlatform } from '../platforms/local-platform.ts';
import type { World } from '../workload/world.ts';

const REPEAT_MS = 100;
/** How long a token of the console is used, in milliseconds. */
const USED_MS = (FRESH_SIGN_IN_SECONDS * 1000) / 2;

/** An Owner at the console: holds the writes of a Workspace, and approves each. */
export class Approver {
  readonly #platform: LocalPlatform;
  readonly #world: World;
  #token: Promise<string> | undefined;
  #since = 0;

  constructor(platform: LocalPlatform, world: World) {
    this.#platform = platform;
    this.#world = world;
  }

  /** Has every write wait from now on. */
  async holdAll(): Promise<void> {
    const { method, path } = approvalRoutes.setRules;
    await this.#send(method, path, { revision: 0, rules: [{}] });
  }

  /** Approves a call that waits. */
  readonly approve = async (id: string): Promise<void> => {
    const { method, path } = approvalRoutes.decide;
    await this.#send(method, path.replace('{id}', id), { decision: 'approve' });
  };

  /** Sends a request until it was done; a refusal counts as such, because the next attempt of the call shows what it meant. */
  async #send(method: string, path: string, input: object): Promise<void> {
    for (; ; await delay(REPEAT_MS)) {
      const sent = {
        method: method.toUpperCase(),
        path,
        token: await this.#fresh(),
        body: JSON.stringify(input),
      };
      const { status } = await send(this.#world.url, sent).catch(() => ({ status: 0 }));
      if (status !== 0 && status < 500) return;
    }
  }

  #fresh(): Promise<string> {
    if (this.#token === undefined || performance.now() - this.#since > USED_MS) {
      const { workspace, owners } = this.#world;
      this.#token = this.#platform.freshToken(workspace, owners[0]!.user);
      this.#since = performance.now();
    }
    return this.#token;
  }
}
