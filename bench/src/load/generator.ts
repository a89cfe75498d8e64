/** The load generator, a process of its own: it runs one load after another for its parent and returns the results. */
import { serveJobs } from '../environment/worker.ts';
import { chooser, type Next } from './chooser.ts';
import { mongodDriver, natsDriver } from './floor-drivers.ts';
import { httpDriver } from './http-driver.ts';
import { Latencies } from './latencies.ts';
import type { Driver, Load, LoadResult, Send, Target } from './load.ts';

serveJobs(run);

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

/** Clients keep their connections between the warm-up and the measured load. */
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

async function loop(send: Send, next: Next, end: number, tally: Tally): Promise<void> {
  for (let now = performance.now(); now < end; ) {
    const { template, body, token } = next();
    const sent = now;
    try {
      await send(template, body, token);
      now = performance.now();
      tally.add(now - sent);
    } catch (error) {
      now = performance.now();
      tally.fail(error);
    }
  }
}

/** Counts calls and how long they took. */
class Tally {
  readonly #latencies = new Latencies();
  #errors = 0;
  #firstError: string | undefined;

  add(milliseconds: number): void {
    this.#latencies.add(milliseconds);
  }

  fail(error: unknown): void {
    this.#errors += 1;
    this.#firstError ??= String(error);
  }

  result(seconds: number): LoadResult {
    return {
      calls: this.#latencies.count,
      errors: this.#errors,
      firstError: this.#firstError,
      seconds,
      latencyMs: this.#latencies.summary,
    };
  }
}
