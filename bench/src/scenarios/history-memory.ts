import { setInterval } from 'node:timers';
import { Api } from '../contenders/api.ts';
import type { Contender } from '../contenders/contender.ts';
import { residentMB } from '../measure/process-stat.ts';
import { newCollection, newRecord } from './sample-data.ts';

const LOOK_EVERY_MS = 50;

/** The memory use of streaming one long history. */
export interface HistoryMemory {
  readonly contender: string;
  readonly megabytes: number;
  readonly seconds: number;
  /** Whether the answer was complete. */
  readonly whole: boolean;
  /** Resident MB of each process before, and its peak meanwhile. */
  readonly before: Readonly<Record<string, number>>;
  readonly most: Readonly<Record<string, number>>;
}

/** Measures how much memory a contender takes to stream a Record's whole history. */
export async function measureHistoryMemory(
  { name, target, processes }: Contender,
  { revisions, bytes }: { revisions: number; bytes: number },
): Promise<HistoryMemory> {
  if (target.driver !== 'http') throw new Error(`${name} has no histories.`);
  const api = new Api(target.origin, target.token!);
  const record = await newRecord(api, await newCollection(api));
  for (let revision = 2; revision <= revisions; revision++) {
    await api.call('record_store.replace_record', {
      ...record,
      payload: { revision, text: 'x'.repeat(bytes) },
    });
  }

  const sizes = () =>
    Object.fromEntries(processes.map(({ name, pid }) => [name, Math.round(residentMB(pid))]));
  const before = sizes();
  let most = before;
  const watch = setInterval(() => {
    const now = sizes();
    most = Object.fromEntries(Object.entries(now).map(([name, size]) => [name, Math.max(size, most[name]!)]));
  }, LOOK_EVERY_MS);
  const started = performance.now();
  let received = 0;
  let end = '';
  try {
    const response = await api.send('record_store.get_record_history', record);
    for await (const chunk of response.body!) {
      received += chunk.length;
      end = (end + Buffer.from(chunk).toString()).slice(-100);
    }
  } finally {
    clearInterval(watch);
  }
  const seconds = (performance.now() - started) / 1000;
  return {
    contender: name,
    megabytes: received / 1e6,
    seconds,
    whole: end.endsWith('"next_cursor":null}}'),
    before,
    most,
  };
}
