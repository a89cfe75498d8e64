import { availableParallelism } from 'node:os';
import { Admission, type Arrival, readFairnessKey } from '@action-platform/admission';
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

/** How many large texts may wait for a thread or be at one. Texts of 2 MiB take a few seconds together. */
export const MAX_WAITING = 32;
/** How many threads process large texts: one processor is left to the event loop. */
const THREADS = Math.min(2, Math.max(1, availableParallelism() - 1));

/** The idle time after which a thread ends and frees its memory, in milliseconds. */
const IDLE_MS = 30_000;

/**
 * The call that a text is of. The text takes a share of the threads under its fairness key; once its deadline has passed, no thread processes
 * it. Texts without a call share one key, and have no deadline.
 */
export type CallOfText = Pick<Arrival, 'fairnessKey'> & Partial<Pick<Arrival, 'deadline'>>;

const NO_CALL: CallOfText = { fairnessKey: readFairnessKey('') };

/**
 * `readJson` that does not block the event loop: another thread reads large texts.
 *
 * @param options with `maxValues`, so that reading the result here takes little time.
 * @throws what readJson throws; JsonBusyError when no thread can read the text in time.
 */
export async function readJsonAsync(
  input: Uint8Array,
  options: ReadJsonOptions & { readonly maxValues: number },
  call?: CallOfText,
): Promise<unknown> {
  if (input.length <= LARGEST_IN_PLACE) return readJson(input, options);
  // The transfer copies a whole buffer, also for a part of it.
  const task: OutlineTask = { input: new Uint8Array(input), options };
  return valueOfOutline(await inBackground<Outline>('outline', task, call));
}

/** `mergePatch` that does not block the event loop. @throws what mergePatch throws; JsonBusyError. */
export async function mergePatchAsync(
  target: ExactJson,
  patch: ExactJson,
  call?: CallOfText,
): Promise<ExactJson> {
  if (target.text.length + patch.text.length <= LARGEST_IN_PLACE) return mergePatch(target, patch);
  const task: MergeTask = { target: target.text, patch: patch.text };
  return new ExactJson(await inBackground<string>('merge', task, call));
}

/** `canonicalJson` that does not block the event loop. @throws what canonicalJson throws; JsonBusyError. */
export async function canonicalJsonAsync({ text }: ExactJson, call?: CallOfText): Promise<string> {
  if (text.length <= LARGEST_IN_PLACE) return canonicalJson(text);
  return await inBackground<string>('canonical', text, call);
}

/** `valuesAt` that does not block the event loop. @throws JsonBusyError */
export async function valuesAtAsync(
  text: string,
  places: readonly Steps[],
  call?: CallOfText,
): Promise<(string | undefined)[][]> {
  if (text.length <= LARGEST_IN_PLACE) return valuesAt(text, places);
  const task: ValuesTask = { text, places };
  return await inBackground<(string | undefined)[][]>('values', task, call);
}

/** The threads; most processes never need one. */
let threads: Promise<Piscina> | undefined;

const admission = new Admission({
  maxTaken: MAX_WAITING,
  // The calls count the bytes of their texts.
  maxBytes: 0,
  atWork: { most: THREADS, least: THREADS },
  maxWaitMs: Number.POSITIVE_INFINITY,
  refusal: () => new JsonBusyError(),
});

async function inBackground<Value>(name: string, task: unknown, call = NO_CALL): Promise<Value> {
  const arrival = {
    fairnessKey: call.fairnessKey,
    bytes: 0,
    // It becomes earlier when the caller leaves.
    get deadline() {
      return call.deadline ?? Number.POSITIVE_INFINITY;
    },
  };
  await admission.enter(arrival);
  try {
    if (arrival.deadline <= performance.now()) throw new JsonBusyError();
    threads ??= startThreads();
    const pool = await threads;
    return resultOf((await pool.run(task, { name })) as Processed<Value>);
  } finally {
    admission.leave(arrival);
  }
}

async function startThreads(): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
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
