import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { cursor, nextCursor, pageLimit } from '../../schema/fields.ts';
import { exampleProcedure, procedure } from './shapes.ts';

const { markdown: _, ...exampleItem } = exampleProcedure;

export const listDrafts = defineOperation({
  id: 'procedures.list_drafts',
  service: 'procedures',
  title: 'List draft Procedures',
  description: 'Lists draft Procedures by slug, without their documents.',
  availability: 'workspace_member',
  effect: 'read',
  idempotent: 'always',
  input: z.strictObject({ limit: pageLimit.default(50), cursor: cursor.optional() }),
  example: {},
  output: z.strictObject({
    procedures: z.array(procedure.omit({ markdown: true })),
    next_cursor: nextCursor,
  }),
  exampleResult: { procedures: [exampleItem], next_cursor: null },
  errors: [],
});
