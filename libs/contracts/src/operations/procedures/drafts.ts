import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleOf } from '../../schema/example.ts';
import { field, nextCursor, paging } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

const slug = field(
  z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  'Unique in the Workspace: lower-case words and digits joined by hyphens.',
  'onboard-a-customer',
);

const newDraft = z.strictObject({
  slug,
  title: field(text({ min: 1, max: 200 }), 'The title for people.', 'Onboard a customer'),
  description: field(
    text({ max: 2000 }),
    'The purpose, in a sentence or two.',
    'What to do when a customer has signed.',
  ),
  markdown: field(
    text({ min: 1, max: 200_000 }),
    'The document, in Markdown. It is kept as it is.',
    '# Onboard a customer\n\n1. Say hello.',
  ),
});

const procedure = z.strictObject({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  markdown: z.string(),
  state: z.literal('draft'),
  type: z.literal('procedure'),
  managedBy: z.literal('owner'),
});
const example = { ...exampleOf(newDraft), state: 'draft', type: 'procedure', managedBy: 'owner' };
const { markdown: _, ...exampleItem }: Readonly<Record<string, unknown>> = example;

export const createDraft = defineOperation({
  id: 'procedures.create_draft',
  title: 'Create a draft Procedure',
  description:
    'Creates a draft Procedure document in the Workspace. Repeating an identical create returns the same draft.',
  effect: 'write',
  input: newDraft,
  output: z.strictObject({ procedure }),
  exampleResult: { procedure: example },
  errors: ['procedure_slug_taken'],
  dataScope: undefined,
  // Its id is in no result: the handler adds it to the headers of the answer.
  targets: () => [],
});

export const getDraft = defineOperation({
  id: 'procedures.get_draft',
  title: 'Get a draft Procedure',
  description: 'Returns a draft Procedure with its document.',
  effect: 'read',
  input: z.strictObject({ slug }),
  output: z.strictObject({ procedure }),
  exampleResult: { procedure: example },
  errors: ['procedure_not_found'],
  dataScope: undefined,
});

export const listDrafts = defineOperation({
  id: 'procedures.list_drafts',
  title: 'List draft Procedures',
  description: 'Lists draft Procedures by slug, without their documents.',
  effect: 'read',
  input: z.strictObject(paging),
  output: z.strictObject({
    procedures: z.array(procedure.omit({ markdown: true })),
    next_cursor: nextCursor,
  }),
  exampleResult: { procedures: [exampleItem], next_cursor: null },
  dataScope: undefined,
});
