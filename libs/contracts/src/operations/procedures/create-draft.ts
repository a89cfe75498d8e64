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

export const createDraft = defineOperation({
  id: 'procedures.create_draft',
  title: 'Create a draft Procedure',
  description:
    'Creates a draft Procedure document in the Workspace. Repeating an identical create returns the same draft.',
  availability: 'workspace_member',
  effect: 'write',
  input: z.strictObject({
    slug: z
      .string()
      .max(100)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .meta({ description: 'Unique in the Workspace: lower-case words and digits joined by hyphens.' }),
    title: text({ min: 1, max: 200 }),
    description: text({ max: 2000 }),
    markdown: text({ min: 1, max: 200_000 }),
  }),
  example: {
    slug: 'onboard-a-customer',
    title: 'Onboard a customer',
    description: 'What to do when a customer has signed.',
    markdown: '# Onboard a customer\n\n1. Say hello.',
  },
  output: z.strictObject({ procedure }),
  errors: ['procedure_slug_taken'],
});
