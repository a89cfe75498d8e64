import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { field } from '../../schema/fields.ts';
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
    title: field(text({ min: 1, max: 200 }), 'The title for people.', 'Onboard a customer'),
    description: field(
      text({ max: 2000 }),
      'The purpose, in a sentence or two.',
      'What to do when a customer has signed.',
    ),
    markdown: field(
      text({ min: 1, max: 200_000 }),
      'The document, in Markdown. It is kept as it is.',
      '# Onboard a customer',
    ),
  }),
  example: exampleTexts,
  output: z.strictObject({ procedure }),
  exampleResult: { procedure: exampleProcedure },
  errors: ['procedure_slug_taken'],
});
