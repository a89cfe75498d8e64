import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { canonicalJson } from '../canonical-json.ts';
import { JsonBusyError } from '../errors.ts';
import { ExactJson } from '../exact-json.ts';
import { mergePatch } from '../merge-patch.ts';
import { type Outline, type ReadJsonOptions, readJson, valueOfOutline } from '../read-json.ts';
import { type Steps, valuesAt } from '../values-at.ts';
import { type Processed, resultOf } from './outcome.ts';
import type { MergeTask, OutlineTask, ValuesTask } from './worker.ts';

/**
 * The largest text, in bytes or UTF-16 code units, that is processed on the event loop. At the worst (members of a few characters each) the
 * processing takes a few milliseconds, about as long as the transfer to another thread and back.
 */
export const LARGEST_IN_PLACE = 32 * 1024;

/** How many large texts may wait for a thread. Texts of 2 MiB take a few seconds together. */
export const MAX_WAITING = 32;

/** The idle time after which a thread ends and frees its memory, in milliseconds. */
const IDLE_MS = 30_000;

/**
 * `readJson` that does not block the event loop: another thread reads large texts.
 *
 * @param options with `maxValues`, so that reading the result here takes little time.
 * @throws what readJson throws; JsonBusyError when too many large texts wait already.
 */
export async function readJsonAsync(
  input: Uint8Array,
  options: ReadJsonOptions & { readonly maxValues: number },
): Promise<unknown> {
  if (input.length <= LARGEST_IN_PLACE) return readJson(input, options);
  // The transfer copies a whole buffer, also for a part of it.
  const task: OutlineTask = { input: new Uint8Array(input), options };
  return valueOfOutline(await inBackground<Outline>('outline', task));
}

/** `mergePatch` that does not block the event loop. @throws what mergePatch throws; JsonBusyError. */
export async function mergePatchAsync(target: ExactJson, patch: ExactJson): Promise<ExactJson> {
  if (target.text.length + patch.text.length <= LARGEST_IN_PLACE) return mergePatch(target, patch);
  const task: MergeTask = { target: target.text, patch: patch.text };
  return new ExactJson(await inBackground<string>('merge', task));
}

/** `canonicalJson` that does not block the event loop. @throws what canonicalJson throws; JsonBusyError. */
export async function canonicalJsonAsync({ text }: ExactJson): Promise<string> {
  if (text.length <= LARGEST_IN_PLACE) return canonicalJson(text);
  return await inBackground<string>('canonical', text);
}

/** `valuesAt` that does not block the event loop. @throws JsonBusyError */
export async function valuesAtAsync(
  text: string,
  places: readonly Steps[],
): Promise<(string | undefined)[][]> {
  if (text.length <= LARGEST_IN_PLACE) return valuesAt(text, places);
  const task: ValuesTask = { text, places };
  return await inBackground<(string | undefined)[][]>('values', task);
}

/** The threads; most processes never need one. */
let threads: Promise<Piscina> | undefined;

async function inBackground<Value>(name: string, task: unknown): Promise<Value> {
  threads ??= startThreads();
  const pool = await threads;
  if (pool.queueSize >= MAX_WAITING) throw new JsonBusyError();
  return resultOf((await pool.run(task, { name })) as Processed<Value>);
}

async function startThreads(): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    // The pool leaves one processor to the event loop.
    maxThreads: Math.min(2, Math.max(1, availableParallelism() - 1)),
    idleTimeout: IDLE_MS,
    // The preloads of the process, such as telemetry, do not belong in its threads.
    execArgv: [],
  });
  // The pool keeps the texts of a thread that fails to start, and starts no other thread for them. Its end rejects them.
  pool.once('error', () => {
    threads = undefined;
    pool.on('error', () => {});
    void pool.destroy();
  });
  return pool;
}
