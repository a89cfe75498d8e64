import { z } from 'zod';
import { field } from '../../schema/fields.ts';

export const slug = field(
  z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  'Unique in the Workspace: lower-case words and digits joined by hyphens.',
  'onboard-a-customer',
);

export const procedure = z.strictObject({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  markdown: z.string(),
  state: z.literal('draft'),
  type: z.literal('procedure'),
  managedBy: z.literal('owner'),
});

export const exampleTexts = {
  slug: 'onboard-a-customer',
  title: 'Onboard a customer',
  description: 'What to do when a customer has signed.',
  markdown: '# Onboard a customer\n\n1. Say hello.',
};

export const exampleProcedure = { ...exampleTexts, state: 'draft', type: 'procedure', managedBy: 'owner' };
