/** The load generator, a process of its own: it takes one load after another from its parent and answers with what came. */
import { build, type Histogram } from 'hdr-histogram-js';
import { mongodDriver, natsDriver } from './floor-drivers.ts';
import { httpDriver } from './http-driver.ts';
import type { Driver, Load, LoadResult, RequestTemplate, Send, Target } from './load.ts';

/** Latencies are kept in microseconds to three digits. */
const HISTOGRAM = {
  lowestDiscernibleValue: 1,
  highestTrackableValue: 60_000_000,
  numberOfSignificantValueDigits: 3,
} as const;

process.on('message', (load: Load) => {
  void run(load).then(
    (result) => process.send!({ result }),
    (error: unknown) => process.send!({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function run({ target, requests, clients, seconds }: Load): Promise<LoadResult> {
  const senders = await sendersTo(target, clients);
  const tally = new Tally();
  const next = chooser(requests);
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(senders.map((send) => loop(send, next, end, tally)));
  return tally.result((performance.now() - started) / 1000);
}

let last: { readonly key: string; readonly driver: Driver; readonly senders: readonly Send[] } | undefined;

/** Clients keep their connections when the same load follows, as the measured one does that of the warm-up. */
async function sendersTo(target: Target, clients: number): Promise<readonly Send[]> {
  const key = JSON.stringify({ target, clients });
  if (last?.key === key) return last.senders;
  await last?.driver.close();
  last = undefined;
  const driver = await open(target);
  const senders = await Promise.all(Array.from({ length: clients }, () => driver.client()));
  last = { key, driver, senders };
  return senders;
}

async function open(target: Target): Promise<Driver> {
  switch (target.driver) {
    case 'http':
      return httpDriver(target.origin, target.token);
    case 'nats':
      return await natsDriver(target.url, target.subject);
    case 'mongod':
      return await mongodDriver(target.url, target.database, target.grouped);
  }
}

type Next = () => { readonly template: RequestTemplate; readonly body: string };

async function loop(send: Send, next: Next, end: number, tally: Tally): Promise<void> {
  for (let now = performance.now(); now < end; ) {
    const { template, body } = next();
    const sent = now;
    try {
      await send(template, body);
      now = performance.now();
      tally.add(now - sent);
    } catch (error) {
      now = performance.now();
      tally.fail(error);
    }
  }
}

/** Chooses requests by weight and their bodies at random. */
function chooser(requests: readonly RequestTemplate[]): Next {
  const lots = requests.flatMap((template) => Array<RequestTemplate>(template.weight).fill(template));
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)]!;
  const run = crypto.randomUUID();
  let count = 0;
  return () => {
    const template = oneOf(lots);
    return { template, body: oneOf(template.bodies).replace('$unique', () => `${run}-${count++}`) };
  };
}

/** Counts calls and how long they took. */
class Tally {
  readonly #histogram: Histogram = build({ ...HISTOGRAM });
  #errors = 0;
  #firstError: string | undefined;

  add(milliseconds: number): void {
    this.#histogram.recordValue(Math.max(1, Math.round(milliseconds * 1000)));
  }

  fail(error: unknown): void {
    this.#errors += 1;
    this.#firstError ??= String(error);
  }

  result(seconds: number): LoadResult {
    const histogram = this.#histogram;
    const at = (percentile: number) => histogram.getValueAtPercentile(percentile) / 1000;
    return {
      calls: histogram.totalCount,
      errors: this.#errors,
      firstError: this.#firstError,
      seconds,
      latencyMs: {
        mean: histogram.mean / 1000,
        p50: at(50),
        p99: at(99),
        p999: at(99.9),
        max: histogram.maxValue / 1000,
      },
    };
  }
}
