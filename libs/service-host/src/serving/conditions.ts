import { setImmediate } from 'node:timers/promises';
import type { ConditionalRule } from '@action-platform/contracts/authority';
import type { ApprovalCondition, ApprovalRule, Scalar } from '@action-platform/contracts/resources';
import { compareNumbers, ExactJson, valuesAtAsync } from '@action-platform/json';

/** The push of a Record, and of several in one call. */
const PUSH = 'record_store.push_record';
const PUSHES = 'record_store.push_records';
/** How many characters of pushes are compared before other calls have their turn. */
const IN_A_TURN = 64 * 1024;

/** A scalar, as conditions compare it: a number by its JSON text, and a string without quotes and escapes. */
interface Compared {
  readonly kind: ExactJson['kind'];
  readonly text: string;
}

type Test = (value: Compared, wanted: readonly Compared[]) => boolean;

const isAmong: Test = (value, wanted) => wanted.some((one) => isEqual(value, one));
const byOrder =
  (holds: (order: number) => boolean): Test =>
  ({ text }, [wanted]) =>
    holds(compareNumbers(text, wanted!.text));
const beginsWith: Test = ({ text }, wanted) =>
  wanted.some((one) => folded(text).startsWith(folded(one.text)));
const endsWith: Test = ({ text }, wanted) => wanted.some((one) => folded(text).endsWith(folded(one.text)));
const not =
  (holds: Test): Test =>
  (value, wanted) =>
    !holds(value, wanted);

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
): Promise<boolean[]> {
  const places = conjunctions.flat().map(({ field }) => stepsOf(field));
  if (places.length === 0) return conjunctions.map(() => true);
  const found = (await valuesAtAsync(body, places)).values();
  // Each condition takes its own values, also after one that does not hold.
  return conjunctions.map((conditions) =>
    conditions.map((condition) => holds(condition, found.next().value!)).every(Boolean),
  );
}

/** The items of a call that pushes several Records, each as the body of a push of its own; none of another call. */
async function pushesIn(operation: string, body: string): Promise<string[]> {
  if (operation !== PUSHES) return [];
  const [[collection] = [], items = []] = await valuesAtAsync(body, [['collection_id'], ['items', '*']]);
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
): Promise<boolean[]> {
  const conjunctions = rules.map(({ when = [] }) => when);
  const pushes = await pushesIn(operation, body);
  const ofPushes: boolean[][] = [];
  let compared = 0;
  // The pushes are compared one after the other: all at once, large ones would fill the queue of the threads that read JSON.
  for (const push of pushes) {
    ofPushes.push(await holdingOf(conjunctions, push));
    compared += push.length;
    if (compared > IN_A_TURN) {
      await setImmediate();
      compared = 0;
    }
  }
  const whole = await holdingOf(conjunctions, body);
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
): Promise<boolean> {
  const isKnown = rules.every(({ when }) => when.every(({ is }) => Object.hasOwn(tests, is)));
  if (!isKnown) return true;
  const text = Buffer.from(body).toString().trim() || '{}';
  const fits = await fittingOf(
    rules as readonly Pick<ApprovalRule, 'operations' | 'when'>[],
    operation,
    text,
  );
  return fits.includes(true);
}

/** Whether a rule with these operations is about an operation: a rule that names the push of a Record is about that of several. */
export function isAbout(operations: readonly string[], operation: string): boolean {
  return operations.includes(operation) || (operation === PUSHES && operations.includes(PUSH));
}

function holds({ is, value }: ApprovalCondition, found: readonly (string | undefined)[]): boolean {
  const wanted = valuesOf(value).map(comparedScalar);
  return found.some((text) => {
    const present = text === undefined ? undefined : comparedText(text);
    if (present === undefined || !wanted.some(({ kind }) => kind === present.kind)) return true;
    return tests[is](present, wanted);
  });
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

function isEqual(one: Compared, other: Compared): boolean {
  if (one.kind !== other.kind) return false;
  return one.kind === 'number' ? compareNumbers(one.text, other.text) === 0 : one.text === other.text;
}

/** A text with its ASCII letters in lower case: no mapping of Unicode makes two addresses equal. */
function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
