import { z } from 'zod';
import { availability } from '../declaration/operation.ts';
import { isErrorCode } from '../errors/catalogue.ts';
import { opaqueId, timestamp } from '../schema/fields.ts';
import { text } from '../schema/text.ts';
import { dialectProblem } from './dialect-problem.ts';
import type { DialectSchema } from './schema-dialect.ts';
import { hiddenCharacter } from './visible-text.ts';

/** A text that callers and their agents read. */
function shownText(max: number) {
  return text({ min: 1, max }).superRefine((value, { addIssue }) => {
    const message = hiddenCharacter(value);
    if (message !== undefined) addIssue({ code: 'custom', message });
  });
}

const published = { type: 'object', additionalProperties: true } as const;

const storedSchema = z.custom<DialectSchema>().meta(published);

/** A JSON Schema of the dialect, for the input of an operation or for its output. */
function schemaOf(what: 'input' | 'output', description: string, example: DialectSchema) {
  return z
    .custom<DialectSchema>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be a JSON Schema: an object',
    )
    .superRefine((value, { addIssue }) => {
      const problem = dialectProblem(value, what === 'input');
      if (problem !== undefined) addIssue({ code: 'custom', ...problem, path: [...problem.path] });
    })
    .meta({ ...published, description, examples: [example] });
}

/** An error that the endpoint of a custom operation may answer with. */
const declaredRefusal = z.strictObject({
  code: text({ max: 64 })
    .regex(/^custom_[a-z0-9]+(_[a-z0-9]+)*$/, 'must begin with custom_')
    .refine((code) => !isErrorCode(code), 'is a code of the platform')
    .meta({ description: 'Begins with `custom_`.', examples: ['custom_order_not_found'] }),
  message: shownText(300).meta({
    description: 'The failure; the endpoint may answer with a more precise one.',
  }),
  next: shownText(300).meta({ description: 'The step that the caller should take.' }),
  recoverable: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether the same caller can succeed by doing what next says.' }),
});

const fields = {
  title: shownText(100).meta({ description: 'The title, for people.', examples: ['Refund an order'] }),
  description: shownText(1000).meta({
    description: 'What it does and when to use it, for agents.',
    examples: ['Refunds an order in full, once. Use it when a customer has returned everything.'],
  }),
  effect: z
    .enum(['read', 'write'])
    .meta({ description: 'Whether a call changes something; fixed for good.', examples: ['write'] }),
  availability: availability.meta({
    description: 'Who can call it: every Member, or Owners alone; fixed for good.',
    examples: ['workspace_member'],
  }),
  destructive: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether its effect cannot be undone; fixed for good.', examples: [true] }),
  url: text({ min: 1, max: 2000 }).meta({
    description: 'Where each call is sent: https, to a public address, without user, query and fragment.',
    examples: ['https://orders.example.com/agent/refund'],
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
    .refine(
      (refusals) => new Set(refusals.map(({ code }) => code)).size === refusals.length,
      'must name each code once',
    )
    .default([])
    .meta({
      description: 'The errors that the endpoint may answer with, for discovery.',
      examples: [
        [
          {
            code: 'custom_order_not_found',
            message: 'No order has this number.',
            next: 'Ask the customer for the number.',
            recoverable: true,
          },
        ],
      ],
    }),
};

/** The content of a definition, in a request. */
export const definitionFields = {
  ...fields,
  inputSchema: schemaOf(
    'input',
    'JSON Schema (2020-12) of the input, in the dialect of the guide: closed at its root, one `type` everywhere, no `$ref`, no `pattern`.',
    {
      type: 'object',
      properties: { order_id: { type: 'string', description: 'The number of the order.' } },
      required: ['order_id'],
      additionalProperties: false,
    },
  ),
  outputSchema: schemaOf(
    'output',
    'JSON Schema of the result, in the same dialect: published, not enforced.',
    { type: 'object', properties: { refund_id: { type: 'string' } } },
  ).optional(),
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
