import { z } from 'zod';
import { availability } from '../../declaration/operation.ts';
import { isErrorCode } from '../../errors/catalogue.ts';
import { DECLARED_CODE } from '../../errors/declared-refusal.ts';
import { field, opaqueId, timestamp } from '../../schema/fields.ts';
import { isObject } from '../../schema/is-object.ts';
import { text } from '../../schema/text.ts';
import { exampleDefinition as example } from './example.ts';
import { hiddenCharacter, type Problem } from './problem.ts';
import { dialectProblem } from './schema-dialect.ts';
import { target } from './target.ts';
import type { DialectSchema } from './value-check.ts';

/** A check that refuses what a function finds a problem of. */
function refusing<Value>(problemOf: (value: Value) => Problem | undefined) {
  return (value: Value, { addIssue }: z.core.$RefinementCtx<Value>) => {
    const problem = problemOf(value);
    if (problem !== undefined) addIssue({ code: 'custom', ...problem, path: [...problem.path] });
  };
}

/** A text that callers and their agents read. */
const shown = (max: number) => text({ min: 1, max }).superRefine(refusing(hiddenCharacter));

const published = { type: 'object', additionalProperties: true } as const;
const storedSchema = z.custom<DialectSchema>().meta(published);

/** A JSON Schema for the input or the output of an operation. */
const schemaOf = (what: 'input' | 'output') =>
  z
    .custom<DialectSchema>(isObject, 'must be a JSON Schema: an object')
    .superRefine(refusing((schema) => dialectProblem(schema, what === 'input')))
    .meta(published);

/** An error that the endpoint of a custom operation may answer with. */
const declaredRefusal = z.strictObject({
  code: field(
    text({ max: 64 })
      .regex(DECLARED_CODE, 'must begin with custom_')
      .refine((code) => !isErrorCode(code), 'is a code of the platform'),
    'Begins with `custom_`.',
  ),
  message: field(shown(300), 'The failure; the endpoint may answer with a more precise one.'),
  next: field(shown(300), 'The step that the caller should take.'),
  recoverable: field(z.boolean().default(true), 'Whether the same caller can succeed by next.'),
});

const fields = {
  title: field(shown(100), 'The title, for people.', example.title),
  description: field(shown(1000), 'What it does and when to use it, for agents.', example.description),
  effect: field(
    z.enum(['read', 'write']),
    'Whether a call changes something; fixed for good.',
    example.effect,
  ),
  availability: field(
    availability,
    'Who can call it: every Member, or Owners alone; fixed for good.',
    example.availability,
  ),
  destructive: field(
    z.boolean().default(false),
    'Whether its effect cannot be undone; fixed for good.',
    true,
  ),
  url: field(
    text({ min: 1, max: 2000 }).optional(),
    'Where each call is sent: https, to a public address, without user, query and fragment. In its place there may be a `target`.',
    example.url,
  ),
  target: field(target.optional(), 'The request of a connector that each call is, in the place of `url`.', {
    connector: 'shop',
    method: 'post',
    path: '/orders/{order_id}/refunds',
  }),
  timeoutMs: field(
    z.int().min(1000).max(8000).default(5000),
    'How long a call waits for the answer, in milliseconds; less near the deadline of its caller.',
    5000,
  ),
  refusals: field(
    z
      .array(declaredRefusal)
      .max(20)
      .refine((all) => new Set(all.map(({ code }) => code)).size === all.length, 'must name each code once')
      .default([]),
    'The errors that the endpoint may answer with, for discovery.',
    example.refusals,
  ),
};

/** The content of a definition, in a request. */
export const definitionFields = {
  ...fields,
  inputSchema: field(
    schemaOf('input'),
    'JSON Schema (2020-12) of the input, in the dialect of the guide: closed at its root, one `type` everywhere, no `$ref`, no `pattern`.',
    example.inputSchema,
  ),
  outputSchema: field(
    schemaOf('output').optional(),
    'JSON Schema of the result, in the same dialect: published, not enforced.',
    example.outputSchema,
  ),
};

/** A custom operation as Owners see it. */
export const customOperation = z.strictObject({
  id: z.string(),
  definitionId: field(opaqueId, 'Its name in events and in the audit log.'),
  status: z.enum(['active', 'removed']),
  revision: field(z.int().min(1), 'Counts the changes of the definition from 1.'),
  connectorId: field(opaqueId.optional(), 'The connector of its target, in events and in the audit log.'),
  ...fields,
  inputSchema: storedSchema,
  outputSchema: storedSchema.optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type CustomOperation = z.output<typeof customOperation>;

/** The custom operation that grants found for a call (`busHeaders.customOperation`): the gateway passes it on as it is. */
export const foundCustomOperation = z.object({
  id: z.string(),
  revision: z.int(),
  /** Tells equal revisions apart once the database was set back; the version before does not write it. */
  updatedAt: z.string().optional(),
  effect: z.enum(['read', 'write']),
});
export type FoundCustomOperation = z.output<typeof foundCustomOperation>;
