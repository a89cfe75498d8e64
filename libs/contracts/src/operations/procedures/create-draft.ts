import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { text } from '../../schema/text.ts';
import { exampleProcedure, exampleTexts, procedure, slug } from './shapes.ts';

export const createDraft = defineOperation({
  id: 'procedures.create_draft',
  service: 'procedures',
  title: 'Create a draft Procedure',
  description:
    'Creates a draft Procedure document in the Workspace. Repeating an identical create returns the same draft.',
  effect: 'write',
  input: z.strictObject({
    slug,
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
  example: exampleTexts,
  output: z.strictObject({ procedure }),
  exampleResult: { procedure: exampleProcedure },
  errors: ['procedure_slug_taken'],
});
