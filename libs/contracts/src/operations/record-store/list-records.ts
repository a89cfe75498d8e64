import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { field, nextCursor, paging } from '../../schema/fields.ts';
import { exampleIds, exampleRecord } from './examples.ts';
import { onRecords, record, recordReference } from './shapes.ts';

export const listRecords = defineOperation({
  ...onRecords,
  id: 'record_store.list_records',
  title: 'List Records',
  description:
    'Lists the Records of a Collection, oldest first. A page may hold fewer than limit Records; follow next_cursor until it is null.',
  effect: 'read',
  input: z.strictObject({
    collection_id: recordReference.collection_id,
    state: field(z.enum(['active', 'archived', 'all']).default('active'), 'Which Records to list.', 'all'),
    ...paging,
  }),
  example: { collection_id: exampleIds.collection },
  output: z.strictObject({ records: z.array(record), next_cursor: nextCursor }),
  exampleResult: { records: [exampleRecord(3)], next_cursor: null },
  errors: ['record_store_collection_not_found'],
});
