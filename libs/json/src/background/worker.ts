/** What is done in a thread of its own. Only texts come and go: values cost as much to hand over as to read. */
import { canonicalJson } from '../canonical-json.ts';
import { ExactJson } from '../exact-json.ts';
import { mergePatch } from '../merge-patch.ts';
import { type Outline, outlineOf, type ReadJsonOptions } from '../read-json.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** Checks what `readJson` checks, and gives the parts that it makes its value of. */
export function outline({ input, options }: OutlineTask): Outcome<Outline> {
  return outcomeOf(() => outlineOf(input, options));
}
export interface OutlineTask {
  readonly input: Uint8Array;
  readonly options: ReadJsonOptions;
}

/** `mergePatch`, text to text. */
export function merge({ target, patch }: MergeTask): Outcome<string> {
  return outcomeOf(() => mergePatch(new ExactJson(target), new ExactJson(patch)).text);
}
export interface MergeTask {
  readonly target: string;
  readonly patch: string;
}

/** `canonicalJson`. */
export function canonical(text: string): Outcome<string> {
  return outcomeOf(() => canonicalJson(text));
}
