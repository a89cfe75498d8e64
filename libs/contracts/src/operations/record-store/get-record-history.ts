import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { cursor, nextCursor, pageLimit } from '../../schema/fields.ts';
import { exampleReference, exampleRevision } from './examples.ts';
import { onRecords, recordErrors, recordReference, revision } from './shapes.ts';

export const getRecordHistory = defineOperation({
  ...onRecords,
  id: 'record_store.get_record_history',
  title: 'Get the history of a Record',
  description:
    'Returns the revisions of a Record, oldest first: each a full snapshot of the payload. Without limit, every revision.',
  effect: 'read',
  input: z.strictObject({ ...recordReference, limit: pageLimit.optional(), cursor: cursor.optional() }),
  example: exampleReference,
  output: z.strictObject({ revisions: z.array(revision), next_cursor: nextCursor }),
  exampleResult: { revisions: [exampleRevision(1), exampleRevision(2)], next_cursor: null },
  errors: recordErrors,
});
