import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { canonicalJson } from '../canonical-json.ts';
import { JsonBusyError } from '../errors.ts';
import { ExactJson } from '../exact-json.ts';
import { mergePatch } from '../merge-patch.ts';
import { type Outline, type ReadJsonOptions, readJson, valueOfOutline } from '../read-json.ts';
import { type Outcome, resultOf } from './outcome.ts';
import type { MergeTask, OutlineTask } from './worker.ts';

/**
 * The largest text, in bytes or UTF-16 code units, that is worked on where it is. At the worst (members of a few
 * characters each) that takes a few milliseconds, about what it takes to bring a text to another thread and back.
 */
export const LARGEST_IN_PLACE = 32 * 1024;

/** How many large texts may wait for a thread. At 2 MiB each they are done in a few seconds. */
export const MAX_WAITING = 32;

/** A thread that had nothing to do for so long ends, and its memory with it. */
const IDLE_MS = 30_000;

/**
 * `readJson` that never holds up the event loop: large texts are read in another thread.
 *
 * @param options with `maxValues`, so that what comes back is read here in little time.
 * @throws what readJson throws; JsonBusyError when too many large texts wait already.
 */
export async function readJsonAsync(
  input: Uint8Array,
  options: ReadJsonOptions & { readonly maxValues: number },
): Promise<unknown> {
  if (input.length <= LARGEST_IN_PLACE) return readJson(input, options);
  // What goes to another thread is a copy, and of a part of a larger buffer it would be a copy of all of that.
  const task: OutlineTask = { input: new Uint8Array(input), options };
  return valueOfOutline(await inBackground<Outline>('outline', task));
}

/** `mergePatch` that never holds up the event loop. @throws what mergePatch throws; JsonBusyError. */
export async function mergePatchAsync(target: ExactJson, patch: ExactJson): Promise<ExactJson> {
  if (target.text.length + patch.text.length <= LARGEST_IN_PLACE) return mergePatch(target, patch);
  const task: MergeTask = { target: target.text, patch: patch.text };
  return new ExactJson(await inBackground<string>('merge', task));
}

/** `canonicalJson` that never holds up the event loop. @throws what canonicalJson throws; JsonBusyError. */
export async function canonicalJsonAsync({ text }: ExactJson): Promise<string> {
  if (text.length <= LARGEST_IN_PLACE) return canonicalJson(text);
  return await inBackground<string>('canonical', text);
}

/** The threads; most processes never need one. */
let threads: Promise<Piscina> | undefined;

async function inBackground<Value>(name: string, task: unknown): Promise<Value> {
  threads ??= startThreads();
  const pool = await threads;
  if (pool.queueSize >= MAX_WAITING) throw new JsonBusyError();
  return resultOf((await pool.run(task, { name })) as Outcome<Value>);
}

async function startThreads(): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    // One processor stays with the event loop.
    maxThreads: Math.min(2, Math.max(1, availableParallelism() - 1)),
    idleTimeout: IDLE_MS,
    // What a process loads at its start, such as telemetry, is not for its threads.
    execArgv: [],
  });
}
