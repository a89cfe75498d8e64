import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { getRecord, pushRecord } from '@action-platform/contracts/operations';
import type { LocalPlatform } from '../../local-platform.ts';
import { say } from '../../on-a-stack.ts';
import { percentile } from '../../percentile.ts';
import { checkImported } from '../checkers/imported.ts';
import { operation, Session } from '../workload/session.ts';
import { ImportPlace, rowsOf } from './import-place.ts';
import type { ImportersJob } from './importers.ts';

/** The most that the 99th percentile of the gets may grow by. */
const MOST_GROWTH = 1.3;
/** The Workspaces whose Records are read, and how many gets of each begin in a second. */
const OTHERS = 8;
const GETS_PER_SECOND = 10;
/** How long gets are measured alone, in milliseconds. */
const ALONE_MS = 15_000;

interface Sizes {
  readonly rows: number;
  readonly importers: number;
  readonly rounds: number;
}

/**
 * Has importers push rows into a Workspace whose quota they fill to the byte, while others get Records, and compares the gets with those
 * before and after.
 */
export async function importBesideGets(platform: LocalPlatform, sizes: Sizes): Promise<string[]> {
  const place = await ImportPlace.on(platform);
  const collection = await place.newCollection();
  const rows = rowsOf(sizes.rows);
  await place.setQuota(rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0));
  const others = await Promise.all(Array.from({ length: OTHERS }, () => otherGets(platform)));
  const importers = new Worker(new URL('importers.ts', import.meta.url), {
    workerData: { url: place.url, token: place.token, collection, importers: sizes.importers },
  });
  const times = { alone: [] as number[], beside: [] as number[] };
  const part = Math.ceil(rows.length / sizes.rounds);
  let importedMs = 0;
  for (let round = 0; round < sizes.rounds; round++) {
    times.alone.push(...(await getsWhile(others, delay(ALONE_MS))));
    const begunAt = performance.now();
    importers.postMessage({ rows: rows.slice(round * part, (round + 1) * part) } satisfies ImportersJob);
    times.beside.push(...(await getsWhile(others, once(importers, 'message'))));
    importedMs += performance.now() - begunAt;
  }
  await importers.terminate();
  const imported = await place.imported(collection, rows, 0);
  const push = { collection_id: collection, payload: {} };
  const { outcome } = await place.session.ask(operation(pushRecord.id, push, () => ({})));
  const isFull = outcome.is === 'refused' && outcome.code === 'record_store_quota_exceeded';
  const [alone, beside] = [percentile(99, times.alone), percentile(99, times.beside)];
  const medians = [times.alone, times.beside].map((each) => percentile(50, each).toFixed(1)).join(' and ');
  const perSecond = (rows.length / (importedMs / 1000)).toFixed();
  const text = `p99 of gets ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside ${sizes.importers} importers`;
  say(
    `${text}, which push ${perSecond} rows/s (${times.alone.length} and ${times.beside.length} gets, p50 ${medians} ms)`,
  );
  return [
    ...checkImported('the importers', imported),
    ...(isFull ? [] : ['a push was accepted beyond the quota']),
    ...(beside <= MOST_GROWTH * alone ? [] : [`${text}: more than ${MOST_GROWTH} ×`]),
  ];
}

/** The gets of one more Workspace: makes one, and resolves with its latency. */
export async function otherGets(platform: LocalPlatform): Promise<() => Promise<void>> {
  const place = await ImportPlace.on(platform);
  const collection_id = await place.newCollection();
  const { record } = await place.session.execute(pushRecord.id, { collection_id, payload: { visits: 1 } });
  const session = new Session(place.url, place.token, { connections: 16 });
  const input = { collection_id, record_id: record.id };
  return async () => void (await session.execute(getRecord.id, input));
}

/** Gets Records at a steady rate until something ends. @returns how long each took from its planned time, in milliseconds */
export async function getsWhile(
  others: readonly (() => Promise<void>)[],
  ends: Promise<unknown>,
): Promise<number[]> {
  let isEnded = false;
  void ends.then(() => {
    isEnded = true;
  });
  const perSecond = others.length * GETS_PER_SECOND;
  const begunAt = performance.now();
  const gets: Promise<number>[] = [];
  while (!isEnded) {
    const plannedAt = begunAt + (gets.length / perSecond) * 1000;
    await delay(Math.max(0, plannedAt - performance.now()));
    const get = others[gets.length % others.length]!;
    gets.push(get().then(() => performance.now() - plannedAt));
  }
  return await Promise.all(gets);
}
