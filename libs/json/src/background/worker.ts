/** The work of a thread. Only texts are transferred: the transfer of a value costs as much as reading it. */
import { getPriority, platform, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { canonicalJson } from '../canonical-json.ts';
import { ExactJson } from '../exact-json.ts';
import { mergePatch } from '../merge-patch.ts';
import { type Outline, outlineOf, type ReadJsonOptions } from '../read-json.ts';
import { type Steps, valuesAt } from '../values-at.ts';
import { outcomeOf, type Processed } from './outcome.ts';

/** The niceness of these threads (nice(1)): about six tenths of the processor time of a thread without it. */
const NICENESS = 2;
const MAX_NICENESS = 19;

// When processors are short, the event loop goes first. On Linux a priority is a thread's own (setpriority(2)); elsewhere
// it would be that of the whole process.
if (platform() === 'linux' && !isMainThread) {
  setPriority(Math.min(MAX_NICENESS, getPriority() + NICENESS));
}

/** Checks what `readJson` checks, and gives the parts that it makes its value of. */
export function outline({ input, options }: OutlineTask): Processed<Outline> {
  return outcomeOf(() => outlineOf(input, options));
}
export interface OutlineTask {
  readonly input: Uint8Array;
  readonly options: ReadJsonOptions;
}

/** `mergePatch`, text to text. */
export function merge({ target, patch }: MergeTask): Processed<string> {
  return outcomeOf(() => mergePatch(new ExactJson(target), new ExactJson(patch)).text);
}
export interface MergeTask {
  readonly target: string;
  readonly patch: string;
}

/** `canonicalJson`. */
export function canonical(text: string): Processed<string> {
  return outcomeOf(() => canonicalJson(text));
}

/** `valuesAt`. */
export function values({ text, places }: ValuesTask): Processed<(string | undefined)[][]> {
  return outcomeOf(() => valuesAt(text, places));
}
export interface ValuesTask {
  readonly text: string;
  readonly places: readonly Steps[];
}
