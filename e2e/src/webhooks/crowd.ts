import { equal, ok } from 'node:assert/strict';
import { readFileSync, renameSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { localDirectory } from '@action-platform/local';
import { Killer, victims } from '../events/killer.ts';
import { say } from '../on-a-stack.ts';
import type { StackProcess } from '../stack-process.ts';
import { startBadEndpoints } from './bad-endpoints.ts';
import type { Owner } from './owner.ts';
import { type Received, Receiver } from './receiver.ts';
import { requireOrder } from './rotations.ts';

/** Of the endpoints of each Collection: eight that answer, and two that misbehave. */
const GOOD = 8;
const BAD = 2;
/** How many endpoints are created at once. */
const CREATED_AT_ONCE = 4;
/** The pause between two Records, in milliseconds. */
const PUSH_MS = 250;
/** The most that the median of the good endpoints may grow by beside the bad ones. */
const MOST_GROWTH = 1.2;
const MOST_MIB = 384;
/** How many events each Record has while processes are killed. */
const COMMITS = 3;
/** How long deliveries may take after the last kill, or after JetStream lost its storage, in milliseconds. */
const ARRIVE_WITHIN_MS = 120_000;

/** Endpoints in groups, each of the events of one Collection. */
export class Crowd {
  readonly #stack: StackProcess;
  readonly #owner: Owner;
  readonly #receiver: Receiver;
  readonly #collections: string[] = [];
  /** When each Record was to be pushed, and its Collection. */
  readonly #records = new Map<string, { readonly at: number; readonly group: number }>();
  #next = 0;

  private constructor(stack: StackProcess, owner: Owner, receiver: Receiver) {
    this.#stack = stack;
    this.#owner = owner;
    this.#receiver = receiver;
  }

  static async start(stack: StackProcess, owner: Owner, endpoints: number): Promise<Crowd> {
    const crowd = new Crowd(stack, owner, await Receiver.start());
    for (let group = 0; group < endpoints / (GOOD + BAD); group++)
      crowd.#collections.push(await owner.collection(`group-${group}`));
    const goods = crowd.#collections.flatMap((id, group) =>
      Array.from({ length: GOOD }, (_, n) => ({
        url: `${crowd.#receiver.url}/${group}-${n}`,
        collectionIds: [id],
      })),
    );
    await crowd.#create(goods);
    return crowd;
  }

  /** Adds the endpoints that misbehave. */
  async addBad(): Promise<() => void> {
    const bad = await startBadEndpoints();
    const all = this.#collections.flatMap((id, group) =>
      Array.from({ length: BAD }, (_, n) => {
        const { url } = bad[(group * BAD + n) % bad.length]!;
        return { url: `${url}/${group}-${n}`, collectionIds: [id] };
      }),
    );
    await this.#create(all);
    return () => {
      for (const each of bad) each.stop();
    };
  }

  /** Pushes Records for some seconds, and returns the median and the 95th percentile of how long each took to each endpoint. */
  async measure(seconds: number): Promise<{ p50: number; p95: number }> {
    const { received } = this.#receiver;
    const from = received.length;
    const pushed = await this.#pushFor(seconds * 1000);
    await this.#untilArrived(pushed, from);
    const lags = received
      .slice(from)
      .flatMap((request) => {
        const at = this.#records.get(subjectOf(request))?.at;
        return at === undefined ? [] : [request.at - at];
      })
      .toSorted((a, b) => a - b);
    const [p50, p95] = [0.5, 0.95].map((share) => Math.round(lags[Math.floor(lags.length * share)]!));
    say(`  ${lags.length} deliveries of ${pushed.length} Records: p50 ${p50} ms, p95 ${p95} ms`);
    return { p50: p50!, p95: p95! };
  }

  /** Measures without the bad endpoints and beside them, and watches the memory of the processes. */
  async besideBad(seconds: number): Promise<void> {
    if (seconds === 0) {
      this.#stop = await this.addBad();
      return;
    }
    say(`${this.#collections.length * GOOD} endpoints that answer:`);
    const alone = await this.measure(seconds);
    const stop = await this.addBad();
    say(
      `Beside ${this.#collections.length * BAD} that hang, answer 101, drip, refuse or misbehave otherwise:`,
    );
    const memory = this.#watchMemory();
    const beside = await this.measure(seconds);
    const mib = memory();
    say(
      `  memory of events: ${mib.early.toFixed(0)} MiB in the first half, ${mib.late.toFixed(0)} in the second, at most ${mib.most.toFixed(0)}`,
    );
    ok(
      beside.p50 <= alone.p50 * MOST_GROWTH,
      `p50 ${beside.p50} ms beside the bad ones, ${alone.p50} ms without`,
    );
    ok(mib.most < MOST_MIB, `events took ${mib.most.toFixed(0)} MiB`);
    ok(mib.late < mib.early * MOST_GROWTH, 'the memory of events grows');
    this.#stop = stop;
  }

  /** Commits while every process is killed; each event must arrive at each endpoint of its Collection, in order. */
  async throughKills(seconds: number): Promise<void> {
    const from = this.#receiver.received.length;
    const killer = new Killer(this.#stack, 1, victims);
    const pushed = await this.#pushFor(seconds * 1000, COMMITS);
    await killer.stop();
    await this.#untilArrived(pushed, from, COMMITS);
    const received = this.#receiver.received.slice(from);
    const expected = pushed.length * GOOD * COMMITS;
    for (const [, ofOne] of Map.groupBy(received, ({ path }) => path)) requireOrder(ofOne);
    const kills = [...this.#kills(killer)].join(', ');
    say(`${expected} deliveries in order and ${received.length - expected} again, with killed: ${kills}`);
  }

  /** Has JetStream lose its storage, while it runs; what is written afterwards must arrive. */
  async throughLoss(): Promise<void> {
    const { nats } = localDirectory({ LOCAL_DIR: this.#stack.directory });
    const from = this.#receiver.received.length;
    for (const pid of this.#stack.pids('nats-server')) process.kill(pid, 'SIGKILL');
    renameSync(nats, `${nats}.lost.${Date.now()}`);
    const lostAt = performance.now();
    const pushed = await this.#pushFor(5_000);
    await this.#untilArrived(pushed, from);
    const seconds = ((performance.now() - lostAt) / 1000).toFixed(0);
    say(
      `JetStream lost its storage: ${pushed.length * GOOD} deliveries of what was written since arrived within ${seconds} s.`,
    );
  }

  stop(): void {
    this.#stop();
    this.#receiver.stop();
  }

  #stop = () => {};

  *#kills({ kills }: Killer): Generator<string> {
    for (const [victim, times] of kills) yield `${victim} ${times}`;
  }

  async #create(endpoints: readonly object[]): Promise<void> {
    const waiting = endpoints.values();
    const creator = async () => {
      for (const endpoint of waiting) await this.#owner.manage('POST', '', endpoint);
    };
    await Promise.all(Array.from({ length: CREATED_AT_ONCE }, creator));
  }

  async #pushFor(ms: number, commits = 1): Promise<string[]> {
    const pushing: Promise<string>[] = [];
    for (const end = performance.now() + ms; performance.now() < end; await delay(PUSH_MS)) {
      const group = this.#next++ % this.#collections.length;
      const at = performance.now();
      const pushed = this.#owner.commit(this.#collections[group]!, commits).then((id) => {
        this.#records.set(id, { at, group });
        return id;
      });
      pushing.push(pushed);
    }
    return await Promise.all(pushing);
  }

  /** Resolves once each commit of these Records has arrived at each good endpoint of its Collection. */
  async #untilArrived(records: readonly string[], from: number, commits = 1): Promise<void> {
    const wanted = new Set(records);
    const seen = new Set<string>();
    let read = from;
    const isThere = (received: readonly Received[]) => {
      for (; read < received.length; read++) {
        const request = received[read]!;
        if (wanted.has(subjectOf(request))) seen.add(`${request.path} ${request.id}`);
      }
      return seen.size >= records.length * GOOD * commits;
    };
    const late = delay(ARRIVE_WITHIN_MS, 'late', { ref: false });
    await Promise.race([this.#receiver.until(isThere), late]);
    equal(seen.size, records.length * GOOD * commits, 'not every event arrived at every endpoint');
  }

  /** Watches how much memory the processes of events take; the returned function ends that. */
  #watchMemory(): () => { early: number; late: number; most: number } {
    const samples: number[] = [];
    const timer = setInterval(() => {
      const each = this.#stack.pids('services/events').map((pid) => {
        const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        return Number(kilobytes) / 1024;
      });
      samples.push(Math.max(...each));
    }, 2_000);
    return () => {
      clearInterval(timer);
      const half = Math.ceil(samples.length / 2);
      const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
      return {
        early: mean(samples.slice(0, half)),
        late: mean(samples.slice(half)),
        most: Math.max(...samples),
      };
    };
  }
}

function subjectOf({ body }: Received): string {
  return (JSON.parse(body) as { subject: string }).subject;
}
