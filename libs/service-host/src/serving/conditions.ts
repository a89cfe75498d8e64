import { setImmediate } from 'node:timers/promises';
import type { ConditionalRule } from '@action-platform/contracts/authority';
import type { ApprovalCondition, ApprovalRule, Scalar } from '@action-platform/contracts/resources';
import {
  type CallOfText,
  canonicalNumber,
  compareNumbers,
  ExactJson,
  valuesAtAsync,
} from '@action-platform/json';

/** The push of a Record, and of several in one call. */
const PUSH = 'record_store.push_record';
const PUSHES = 'record_store.push_records';
/** How many characters are read and compared before other calls have their turn. */
const IN_A_TURN = 64 * 1024;

/** A scalar, as conditions compare it: a number by its JSON text, and a string without quotes and escapes. */
interface Compared {
  readonly kind: ExactJson['kind'];
  readonly text: string;
}

/** Reads the values of a condition once, and returns the test of a value. Its work must not grow with their number times the length of a value. */
type Test = (wanted: readonly Compared[]) => (value: Compared) => boolean;

const isAmong: Test = (wanted) => {
  const keys = new Set(wanted.map(keyOf));
  return (value) => keys.has(keyOf(value));
};
const byOrder =
  (holds: (order: number) => boolean): Test =>
  ([wanted]) =>
  ({ text }) =>
    holds(compareNumbers(text, wanted!.text));
const beginsWith: Test = (wanted) => {
  const { texts, longest } = foldedOnce(wanted);
  return ({ text }) => {
    const beginning = folded(text.slice(0, longest));
    return texts.some((one) => beginning.startsWith(one));
  };
};
const endsWith: Test = (wanted) => {
  const { texts, longest } = foldedOnce(wanted);
  return ({ text }) => {
    const end = folded(text.slice(Math.max(0, text.length - longest)));
    return texts.some((one) => end.endsWith(one));
  };
};
const not =
  (test: Test): Test =>
  (wanted) => {
    const holds = test(wanted);
    return (value) => !holds(value);
  };

const tests: Readonly<Record<ApprovalCondition['is'], Test>> = {
  equals: isAmong,
  not_equals: not(isAmong),
  in: isAmong,
  not_in: not(isAmong),
  above: byOrder((order) => order > 0),
  at_least: byOrder((order) => order >= 0),
  below: byOrder((order) => order < 0),
  at_most: byOrder((order) => order <= 0),
  begins_with: beginsWith,
  ends_with: endsWith,
  not_ends_with: not(endsWith),
};

/**
 * Which of some conjunctions of conditions hold for the body of a call. A condition whose field is absent, or of another type than its
 * values, holds; a condition with `*` holds when it holds for one item.
 *
 * @param body one JSON object that its service has read.
 */
export async function holdingOf(
  conjunctions: readonly (readonly ApprovalCondition[])[],
  body: string,
  call?: CallOfText,
): Promise<boolean[]> {
  const places = conjunctions.flat().map(({ field }) => stepsOf(field));
  if (places.length === 0) return conjunctions.map(() => true);
  const found = (await valuesAtAsync(body, places, call)).values();
  if (isTurnOver(body.length)) await setImmediate();
  const holding: boolean[] = [];
  for (const conditions of conjunctions) {
    let allHold = true;
    for (const condition of conditions) {
      // Each condition takes its own values, also after one that does not hold.
      const values = found.next().value!;
      allHold &&= await holds(condition, values);
    }
    holding.push(allHold);
  }
  return holding;
}

/** The items of a call that pushes several Records, each as the body of a push of its own; none of another call. */
async function pushesIn(operation: string, body: string, call?: CallOfText): Promise<string[]> {
  if (operation !== PUSHES) return [];
  const places = [['collection_id'], ['items', '*']];
  const [[collection] = [], items = []] = await valuesAtAsync(body, places, call);
  return items.map((item = '{}') => `{"collection_id":${collection},${item.slice(1)}`);
}

/**
 * Which of some rules about an operation fit a call with this body, by their conditions: the conditions of a push are checked for each item
 * of several.
 */
export async function fittingOf(
  rules: readonly Pick<ApprovalRule, 'operations' | 'when'>[],
  operation: string,
  body: string,
  call?: CallOfText,
): Promise<boolean[]> {
  const conjunctions = rules.map(({ when = [] }) => when);
  const pushes = await pushesIn(operation, body, call);
  const ofPushes: boolean[][] = [];
  // The pushes are compared one after the other: all at once, large ones would fill the queue of the threads that read JSON.
  for (const push of pushes) ofPushes.push(await holdingOf(conjunctions, push, call));
  const whole = await holdingOf(conjunctions, body, call);
  return rules.map(({ operations = [] }, index) =>
    pushes.length > 0 && operations.includes(PUSH) ? ofPushes.some((each) => each[index]) : whole[index]!,
  );
}

/**
 * Whether a call with this body fits any of some rules about its operation. A condition of a later version, which is not known here, fits.
 *
 * @param body as it was sent, which its service has read.
 */
export async function fitsAny(
  rules: readonly ConditionalRule[],
  operation: string,
  body: Uint8Array,
  call?: CallOfText,
): Promise<boolean> {
  const isKnown = rules.every(({ when }) => when.every(({ is }) => Object.hasOwn(tests, is)));
  if (!isKnown) return true;
  const text = Buffer.from(body).toString().trim() || '{}';
  const fits = await fittingOf(
    rules as readonly Pick<ApprovalRule, 'operations' | 'when'>[],
    operation,
    text,
    call,
  );
  return fits.includes(true);
}

/** Whether a rule with these operations is about an operation: a rule that names the push of a Record is about that of several. */
export function isAbout(operations: readonly string[], operation: string): boolean {
  return operations.includes(operation) || (operation === PUSHES && operations.includes(PUSH));
}

async function holds(
  { is, value }: ApprovalCondition,
  found: readonly (string | undefined)[],
): Promise<boolean> {
  const wanted = valuesOf(value).map(comparedScalar);
  const kinds = new Set(wanted.map(({ kind }) => kind));
  const test = tests[is](wanted);
  for (const json of found) {
    if (json === undefined) return true;
    const present = comparedText(json);
    if (!kinds.has(present.kind) || test(present)) return true;
    if (isTurnOver(json.length + wanted.length)) await setImmediate();
  }
  return false;
}

let comparedInTurn = 0;

/** Counts characters that all calls have compared; true when other calls should have their turn. */
function isTurnOver(characters: number): boolean {
  comparedInTurn += characters;
  if (comparedInTurn <= IN_A_TURN) return false;
  comparedInTurn = 0;
  return true;
}

/** The steps of a JSON Pointer (RFC 6901, section 4). */
export function stepsOf(field: string): string[] {
  const steps = field.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The values of a condition. */
export function valuesOf(value: ApprovalCondition['value']): readonly Scalar[] {
  return Array.isArray(value) ? value : [value as Scalar];
}

/** A value of a condition, as it is compared. */
export function comparedScalar(value: Scalar): Compared {
  if (typeof value === 'string') return { kind: 'string', text: value };
  // The database has the text of an `ExactJson` as its field.
  return comparedText(typeof value === 'object' && value !== null ? value.text : String(value));
}

function comparedText(json: string): Compared {
  const { kind } = new ExactJson(json);
  return { kind, text: kind === 'string' ? (JSON.parse(json) as string) : json };
}

/** A text that equal values share. */
function keyOf({ kind, text }: Compared): string {
  return `${kind} ${kind === 'number' ? canonicalNumber(text) : text}`;
}

/** The folded texts of values, and the length of the longest: `folded` keeps the length of a text. */
function foldedOnce(wanted: readonly Compared[]) {
  const texts = wanted.map(({ text }) => folded(text));
  return { texts, longest: Math.max(...texts.map(({ length }) => length)) };
}

/** A text with its ASCII letters in lower case: no mapping of Unicode makes two addresses equal. */
function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
