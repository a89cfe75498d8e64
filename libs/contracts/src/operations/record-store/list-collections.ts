import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { nextCursor, paging } from '../../schema/fields.ts';
import { exampleCollection } from './examples.ts';
import { collection } from './shapes.ts';

export const listCollections = defineOperation({
  id: 'record_store.list_collections',
  service: 'record-store',
  title: 'List Collections',
  description: 'Lists the Collections of the Workspace, oldest first.',
  effect: 'read',
  input: z.strictObject(paging),
  output: z.strictObject({ collections: z.array(collection), next_cursor: nextCursor }),
  exampleResult: { collections: [exampleCollection], next_cursor: null },
  dataScope: { kind: 'collectionIds' },
});
