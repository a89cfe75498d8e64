/** The load generator, a thread of its own, which sends one load after another. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { serveJobs } from '../process/worker.ts';
import { chooser } from './chooser.ts';
import type { Load, LoadResult } from './load.ts';
import { send } from './send.ts';
import { Tally } from './tally.ts';

/** The timeout of a call, in milliseconds: longer than the deadline that a gateway sets. */
const TIMEOUT_MS = 15_000;
/** The pause of a closed loop after a failed call, in milliseconds. */
const RETRY_PAUSE_MS = 50;
/** A request on each connection opens those that were never open, or were idle for too long. */
const OPENING = { method: 'GET', path: '/readyz' } as const;

serveJobs(async (load: Load): Promise<LoadResult> => {
  const pool = await poolTo(load);
  await Promise.all(Array.from({ length: load.connections }, () => send(pool, OPENING)));
  const tally = new Tally();
  const cpu = process.threadCpuUsage();
  const begun = performance.now();
  if (load.perSecond === undefined) await closedLoop(pool, load, tally);
  else await openLoop(pool, load, load.perSecond, tally);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.threadCpuUsage(cpu);
  return tally.result(seconds, (user + system) / 1e6);
});

let last: { readonly key: string; readonly pool: Pool } | undefined;

/** A warm-up and the load after it share connections. */
async function poolTo({ origin, connections }: Load): Promise<Pool> {
  const key = `${origin} ${connections}`;
  if (last?.key === key) return last.pool;
  await last?.pool.destroy();
  const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, keepAliveTimeout: TIMEOUT_MS };
  const pool = new Pool(origin, { connections, pipelining: 1, allowH2: false, ...timeouts });
  last = { key, pool };
  return pool;
}

async function closedLoop(pool: Pool, load: Load, tally: Tally): Promise<void> {
  const next = chooser(load.requests);
  const end = performance.now() + load.seconds * 1000;
  const client = async () => {
    for (let now = performance.now(); now < end; ) {
      const begun = now;
      const outcome = await send(pool, next());
      now = performance.now();
      tally.add(outcome, now - begun, 0);
      if (outcome.status !== '200') await delay(RETRY_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, client));
}

async function openLoop(pool: Pool, load: Load, perSecond: number, tally: Tally): Promise<void> {
  const next = chooser(load.requests);
  const total = Math.round(perSecond * load.seconds);
  const begun = performance.now();
  const calls: Promise<void>[] = [];
  const call = async (plannedAt: number) => {
    const outcome = await send(pool, next());
    tally.add(outcome, performance.now() - plannedAt, outcome.sentAt - plannedAt);
  };
  while (calls.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - begun) / 1000) * perSecond));
    while (calls.length < due) calls.push(call(begun + (calls.length / perSecond) * 1000));
    await delay(1);
  }
  await Promise.all(calls);
}
