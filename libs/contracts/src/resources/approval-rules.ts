import { ExactJson } from '@action-platform/json';
import { z } from 'zod';
import { exampleId } from '../ids/ids.ts';
import { withExactNumbers } from '../schema/exact-numbers.ts';
import { field, opaqueId, userId } from '../schema/fields.ts';
import { codePointLength, text } from '../schema/text.ts';

const VALUES_MAX = 50;
const TEXT_MAX_LENGTH = 200;

/** A value that a condition compares with; a number without a double is an `ExactJson`. */
export type Scalar = string | number | boolean | null | ExactJson;

function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'string') return codePointLength(value) <= TEXT_MAX_LENGTH;
  if (value instanceof ExactJson) return value.kind === 'number' && Number.isFinite(Number(value.text));
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

function isValue(value: unknown): value is Scalar | Scalar[] {
  if (!Array.isArray(value)) return isScalar(value);
  return value.length > 0 && value.length <= VALUES_MAX && value.every(isScalar);
}

const scalars = [
  { type: 'string', maxLength: TEXT_MAX_LENGTH },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'null' },
];

/** A condition on a field of a held call. Numbers are compared as decimals, to the last digit. */
const condition = z.strictObject({
  field: field(
    text({ min: 1, max: 200 }),
    'A JSON Pointer (RFC 6901) into the body, of at most 8 steps, in the input schema of every operation of the rule. `*` stands for each item of an array, of which one is enough.',
    '/payload/amount',
  ),
  is: field(
    z.enum([
      ...['equals', 'not_equals', 'in', 'not_in', 'above', 'at_least', 'below', 'at_most'],
      ...['begins_with', 'ends_with', 'not_ends_with'],
    ] as const),
    'The last three fold the case of ASCII letters; all else of text is exact. A field that is absent, or of another type, fits.',
    'above',
  ),
  value: field(
    z
      .custom<Scalar | Scalar[]>(isValue, {
        error: `must be a text of at most ${TEXT_MAX_LENGTH} characters, a number in the range of doubles, true, false or null, or 1 to ${VALUES_MAX} of these`,
      })
      .meta({
        anyOf: [...scalars, { type: 'array', minItems: 1, maxItems: VALUES_MAX, items: { anyOf: scalars } }],
      }),
    'One value; several for `in` and `not_in`, and, if you like, for those of text.',
    100,
  ),
});
export type ApprovalCondition = z.output<typeof condition>;

/** A rule: which calls of a Workspace wait for a decision. */
const approvalRule = z.strictObject({
  operations: field(
    z.array(opaqueId).min(1).max(100).optional(),
    'The ids of the operations that it holds, each a write; when left out, every write.',
    ['record_store.delete_record'],
  ),
  callers: field(
    z.enum(['everyone', 'grants']).optional(),
    'Whose calls it holds: everyone (the default), or only those made with a grant.',
    'grants',
  ),
  grantIds: field(
    z.array(opaqueId).min(1).max(100).optional(),
    'With `grants`: only calls made with these.',
    [exampleId('routineGrant')],
  ),
  preventSelfApproval: field(
    z.boolean().optional(),
    'Whether the Owner for whom a call acts may not approve it; false by default.',
    true,
  ),
  when: field(
    z.array(condition).min(1).max(5).optional(),
    'With `operations`: only calls for which every condition holds.',
    [{ field: '/payload/amount', is: 'above', value: 100 }],
  ),
  approvers: field(
    z.array(userId).min(1).max(20).optional(),
    'The user ids of Members who may decide beside Owners, where every rule that holds the call names them.',
    ['mika'],
  ),
});
export type ApprovalRule = z.output<typeof approvalRule>;

export const approvalRules = z.strictObject({
  revision: field(z.int().min(0), 'Counts the changes of the rules; 0 before the first.', 3),
  rules: field(z.array(approvalRule).max(20), 'A call is held when any of them matches.', [
    { callers: 'grants' },
  ]),
});
export type ApprovalRules = z.output<typeof approvalRules>;

/** The rules in a request. A schema of its own has a name of its own in the API reference. */
export const newApprovalRules = withExactNumbers(approvalRules.clone());
