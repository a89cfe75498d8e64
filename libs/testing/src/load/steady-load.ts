import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, type CallOutcome, ordinaryCalls, send } from './calls.ts';

/** What became of requests. */
export interface Tally {
  readonly answered: number;
  /** How often something else than 200 came, by what it was. */
  readonly failed: ReadonlyMap<CallOutcome, number>;
}

/** A tally as a line tells it. */
export function told({ answered, failed }: Tally): string {
  const failures = [...failed].map(([how, times]) => `${times} × ${how}`).join(', ');
  return `${answered} answered, failed: ${failures || 'none'}`;
}

interface LoadOptions {
  readonly url: string;
  readonly demo: Caller;
  /** How many requests begin in a second. */
  readonly perSecond: number;
}

/** How many connections callers keep. */
const CONNECTIONS = 32;

/** Callers who come at a steady rate, whether or not those before them have their answers, and repeat nothing. */
export class SteadyLoad {
  #answered = 0;
  readonly #failed = new Map<CallOutcome, number>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #agent: http.Agent;
  #isStopping = false;
  #sending: Promise<void> | undefined;
  /** The longest that anybody waited for an answer. */
  longestMs = 0;

  private constructor(url: string) {
    const { Agent } = url.startsWith('https:') ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
  }

  /** Resolves when the first have been answered. */
  static async start(options: LoadOptions): Promise<SteadyLoad> {
    const load = new SteadyLoad(options.url);
    load.#sending = load.#send(options);
    while (load.#answered === 0) await delay(10);
    return load;
  }

  /** What became of all requests so far. */
  count(): Tally {
    return { answered: this.#answered, failed: new Map(this.#failed) };
  }

  /** What became of those since an earlier count. */
  since(before: Tally): Tally {
    const failed = [...this.#failed]
      .map(([how, times]) => [how, times - (before.failed.get(how) ?? 0)] as const)
      .filter(([, times]) => times > 0);
    return { answered: this.#answered - before.answered, failed: new Map(failed) };
  }

  /** Resolves when the last have their answers. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#sending;
    await Promise.all(this.#underWay);
    this.#agent.destroy();
  }

  async #send({ url, demo, perSecond }: LoadOptions): Promise<void> {
    const calls = ordinaryCalls(url, demo, 'load');
    const begun = performance.now();
    for (let sent = 0; !this.#isStopping; sent++) {
      await delay(Math.max(0, begun + (sent / perSecond) * 1000 - performance.now()));
      const { value: call } = await calls.next();
      const at = performance.now();
      const done = send(url, this.#agent, demo.owner.token, call!).then((outcome) => {
        this.#underWay.delete(done);
        this.longestMs = Math.max(this.longestMs, performance.now() - at);
        if (outcome === 200) this.#answered++;
        else this.#failed.set(outcome, (this.#failed.get(outcome) ?? 0) + 1);
      });
      this.#underWay.add(done);
    }
  }
}
