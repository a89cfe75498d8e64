import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { cursor, nextCursor, pageLimit } from '../../schema/fields.ts';
import { exampleReference, exampleRevision } from './examples.ts';
import { collectionScope, recordErrors, recordReference, recordTargets, revision } from './shapes.ts';

export const getRecordHistory = defineOperation({
  id: 'record_store.get_record_history',
  service: 'record-store',
  title: 'Get the history of a Record',
  description:
    'Returns the revisions of a Record, oldest first: each a full snapshot of the payload. Without limit, every revision.',
  availability: 'workspace_member',
  effect: 'read',
  idempotent: 'always',
  input: z.strictObject({ ...recordReference, limit: pageLimit.optional(), cursor: cursor.optional() }),
  example: exampleReference,
  output: z.strictObject({ revisions: z.array(revision), next_cursor: nextCursor }),
  exampleResult: { revisions: [exampleRevision(1), exampleRevision(2)], next_cursor: null },
  errors: recordErrors,
  dataScope: collectionScope,
  targets: recordTargets,
});
