import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { cursor, nextCursor, pageLimit } from '../../schema/fields.ts';
import { exampleCollection } from './examples.ts';
import { collection } from './shapes.ts';

export const listCollections = defineOperation({
  id: 'record_store.list_collections',
  service: 'record-store',
  title: 'List Collections',
  description: 'Lists the Collections of the Workspace, oldest first.',
  availability: 'workspace_member',
  effect: 'read',
  idempotent: 'always',
  input: z.strictObject({ limit: pageLimit.default(50), cursor: cursor.optional() }),
  example: {},
  output: z.strictObject({ collections: z.array(collection), next_cursor: nextCursor }),
  exampleResult: { collections: [exampleCollection], next_cursor: null },
  errors: [],
  dataScope: { kind: 'collectionIds' },
});
