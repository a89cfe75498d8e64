import { z } from 'zod';
import { availability } from '../declaration/operation.ts';
import { isErrorCode } from '../errors/catalogue.ts';
import { DECLARED_CODE } from '../errors/declared-refusal.ts';
import { opaqueId, timestamp } from '../schema/fields.ts';
import { text } from '../schema/text.ts';
import { exampleDefinition as example } from './example.ts';
import { hiddenCharacter, isObject, type Problem } from './problem.ts';
import { dialectProblem } from './schema-dialect.ts';
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
    .superRefine(refusing((schema) => dialectProblem(schema, what === 'input')));

/** An error that the endpoint of a custom operation may answer with. */
const declaredRefusal = z.strictObject({
  code: text({ max: 64 })
    .regex(DECLARED_CODE, 'must begin with custom_')
    .refine((code) => !isErrorCode(code), 'is a code of the platform')
    .meta({ description: 'Begins with `custom_`.' }),
  message: shown(300).meta({ description: 'The failure; the endpoint may answer with a more precise one.' }),
  next: shown(300).meta({ description: 'The step that the caller should take.' }),
  recoverable: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether the same caller can succeed by next.' }),
});

const fields = {
  title: shown(100).meta({ description: 'The title, for people.', examples: [example.title] }),
  description: shown(1000).meta({
    description: 'What it does and when to use it, for agents.',
    examples: [example.description],
  }),
  effect: z
    .enum(['read', 'write'])
    .meta({ description: 'Whether a call changes something; fixed for good.', examples: [example.effect] }),
  availability: availability.meta({
    description: 'Who can call it: every Member, or Owners alone; fixed for good.',
    examples: [example.availability],
  }),
  destructive: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether its effect cannot be undone; fixed for good.', examples: [true] }),
  url: text({ min: 1, max: 2000 }).meta({
    description: 'Where each call is sent: https, to a public address, without user, query and fragment.',
    examples: [example.url],
  }),
  timeoutMs: z
    .int()
    .min(1000)
    .max(8000)
    .default(5000)
    .meta({
      description:
        'How long a call waits for the answer, in milliseconds; less near the deadline of its caller.',
      examples: [5000],
    }),
  refusals: z
    .array(declaredRefusal)
    .max(20)
    .refine((all) => new Set(all.map(({ code }) => code)).size === all.length, 'must name each code once')
    .default([])
    .meta({
      description: 'The errors that the endpoint may answer with, for discovery.',
      examples: [example.refusals],
    }),
};

/** The content of a definition, in a request. */
export const definitionFields = {
  ...fields,
  inputSchema: schemaOf('input').meta({
    ...published,
    description:
      'JSON Schema (2020-12) of the input, in the dialect of the guide: closed at its root, one `type` everywhere, no `$ref`, no `pattern`.',
    examples: [example.inputSchema],
  }),
  outputSchema: schemaOf('output')
    .optional()
    .meta({
      ...published,
      description: 'JSON Schema of the result, in the same dialect: published, not enforced.',
      examples: [example.outputSchema],
    }),
};

/** A custom operation as Owners see it. */
export const customOperation = z.strictObject({
  id: z.string(),
  definitionId: opaqueId.meta({ description: 'Its name in events and in the audit log.' }),
  status: z.enum(['active', 'removed']),
  revision: z.int().min(1).meta({ description: 'Counts the changes of the definition from 1.' }),
  ...fields,
  inputSchema: storedSchema,
  outputSchema: storedSchema.optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type CustomOperation = z.output<typeof customOperation>;
