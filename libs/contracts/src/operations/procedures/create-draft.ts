import { z } from 'zod';
import { text } from '../../schema/text.ts';
import { defineOperation } from '../operation.ts';

const procedure = z.strictObject({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  markdown: z.string(),
  state: z.literal('draft'),
  type: z.literal('procedure'),
  managedBy: z.literal('owner'),
});

const exampleProcedure = {
  slug: 'onboard-a-customer',
  title: 'Onboard a customer',
  description: 'What to do when a customer has signed.',
  markdown: '# Onboard a customer\n\n1. Say hello.',
};

export const createDraft = defineOperation({
  id: 'procedures.create_draft',
  service: 'procedures',
  title: 'Create a draft Procedure',
  description:
    'Creates a draft Procedure document in the Workspace. Repeating an identical create returns the same draft.',
  availability: 'workspace_member',
  effect: 'write',
  idempotent: 'always',
  input: z.strictObject({
    slug: z
      .string()
      .max(100)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .meta({
        description: 'Unique in the Workspace: lower-case words and digits joined by hyphens.',
        examples: ['onboard-a-customer'],
      }),
    title: text({ min: 1, max: 200 }).meta({
      description: 'The title for people.',
      examples: ['Onboard a customer'],
    }),
    description: text({ max: 2000 }).meta({
      description: 'The purpose, in a sentence or two.',
      examples: ['What to do when a customer has signed.'],
    }),
    markdown: text({ min: 1, max: 200_000 }).meta({
      description: 'The document, in Markdown. It is kept as it is.',
      examples: ['# Onboard a customer'],
    }),
  }),
  example: exampleProcedure,
  output: z.strictObject({ procedure }),
  exampleResult: {
    procedure: { ...exampleProcedure, state: 'draft', type: 'procedure', managedBy: 'owner' },
  },
  errors: ['procedure_slug_taken'],
});
