import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallOutcome, ordinaryCalls, outcomeOf } from './calls.ts';

/** Outcomes of requests. */
export interface Tally {
  readonly answered: number;
  /** The number of requests with each outcome other than 200. */
  readonly failed: ReadonlyMap<CallOutcome, number>;
}

/** A tally as text. */
export function tallyText({ answered, failed }: Tally): string {
  const failures = [...failed].map(([how, times]) => `${times} × ${how}`).join(', ');
  return `${answered} answered, failed: ${failures || 'none'}`;
}

interface LoadOptions {
  readonly url: string;
  readonly demo: { readonly owner: { readonly token: string } };
  /** How many requests begin in a second. */
  readonly perSecond: number;
}

/** The size of the connection pool. */
const CONNECTIONS = 32;

/** An open-loop load: requests at a steady rate, independent of answers, without retries. */
export class SteadyLoad {
  #answered = 0;
  readonly #failed = new Map<CallOutcome, number>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #agent: http.Agent;
  #isStopping = false;
  #sending: Promise<void> | undefined;
  /** The longest time to an answer, in milliseconds. */
  longestMs = 0;

  private constructor(url: string) {
    const { Agent } = url.startsWith('https:') ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
  }

  /** Resolves after the first answer. */
  static async start(options: LoadOptions): Promise<SteadyLoad> {
    const load = new SteadyLoad(options.url);
    load.#sending = load.#send(options);
    while (load.#answered === 0) await delay(10);
    return load;
  }

  /** The outcomes of all requests so far. */
  count(): Tally {
    return { answered: this.#answered, failed: new Map(this.#failed) };
  }

  /** The outcomes since an earlier count. */
  since(before: Tally): Tally {
    const failed = [...this.#failed]
      .map(([how, times]) => [how, times - (before.failed.get(how) ?? 0)] as const)
      .filter(([, times]) => times > 0);
    return { answered: this.#answered - before.answered, failed: new Map(failed) };
  }

  /** Resolves after the last answer. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#sending;
    await Promise.all(this.#underWay);
    this.#agent.destroy();
  }

  async #send({ url, demo, perSecond }: LoadOptions): Promise<void> {
    const { token } = demo.owner;
    const calls = ordinaryCalls(url, token, 'load');
    const begun = performance.now();
    for (let sent = 0; !this.#isStopping; sent++) {
      await delay(Math.max(0, begun + (sent / perSecond) * 1000 - performance.now()));
      const { value: call } = await calls.next();
      const at = performance.now();
      const done = outcomeOf(url, this.#agent, token, call!).then((outcome) => {
        this.#underWay.delete(done);
        this.longestMs = Math.max(this.longestMs, performance.now() - at);
        if (outcome === 200) this.#answered++;
        else this.#failed.set(outcome, (this.#failed.get(outcome) ?? 0) + 1);
      });
      this.#underWay.add(done);
    }
  }
}
