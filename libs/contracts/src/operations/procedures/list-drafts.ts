import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { nextCursor, paging } from '../../schema/fields.ts';
import { exampleProcedure, procedure } from './shapes.ts';

const { markdown: _, ...exampleItem } = exampleProcedure;

export const listDrafts = defineOperation({
  id: 'procedures.list_drafts',
  service: 'procedures',
  title: 'List draft Procedures',
  description: 'Lists draft Procedures by slug, without their documents.',
  effect: 'read',
  input: z.strictObject(paging),
  output: z.strictObject({
    procedures: z.array(procedure.omit({ markdown: true })),
    next_cursor: nextCursor,
  }),
  exampleResult: { procedures: [exampleItem], next_cursor: null },
});
