import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleId } from '../../ids/ids.ts';
import { field, nextCursor, paging } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { COLLECTION_ID_START, isCollectionName } from '../collection-names.ts';
import { collection } from './shapes.ts';

const example = {
  id: exampleId('collection'),
  name: 'customers',
  description: 'One Record for each customer.',
  member_writes_enabled: true,
  created_at: '2026-05-01T09:30:00.000Z',
  created_by: 'olga',
};

export const createCollection = defineOperation({
  id: 'record_store.create_collection',
  title: 'Create a Collection',
  description:
    'Creates a Collection that Records can be pushed into. Repeating an identical create returns the existing Collection.',
  availability: 'owner_workspace',
  effect: 'write',
  input: z.strictObject({
    name: field(
      text({ min: 1, max: 100 })
        .refine(isCollectionName, `must not begin with ${COLLECTION_ID_START}`)
        .meta({ minLength: 1, maxLength: 100, not: { pattern: `^${COLLECTION_ID_START}` } }),
      'Unique in the Workspace.',
      example.name,
    ),
    description: field(text({ max: 1000 }).default(''), 'The purpose.', example.description),
    member_writes_enabled: field(
      z.boolean().default(false),
      'Whether Members who are not Owners may push and change Records.',
      true,
    ),
  }),
  example: { description: example.description, member_writes_enabled: true },
  output: z.strictObject({ collection }),
  exampleResult: { collection: example },
  errors: ['record_store_collection_name_taken'],
  dataScope: undefined,
  targets: (_input, result) => [result?.collection.id],
});

export const listCollections = defineOperation({
  id: 'record_store.list_collections',
  title: 'List Collections',
  description: 'Lists the Collections of the Workspace, oldest first.',
  effect: 'read',
  input: z.strictObject(paging),
  output: z.strictObject({ collections: z.array(collection), next_cursor: nextCursor }),
  exampleResult: { collections: [example], next_cursor: null },
  dataScope: { kind: 'collectionIds' },
});

export const getUsage = defineOperation({
  id: 'record_store.get_usage',
  title: 'Get the usage of the quota',
  description: 'Returns the quota of the Workspace and its used part.',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    quota: field(z.int(), 'How many bytes of Records the Workspace may store.'),
    stored_bytes: field(z.int(), 'The UTF-8 bytes of every kept revision.'),
  }),
  exampleResult: { quota: 1_073_741_824, stored_bytes: 52_428_800 },
  dataScope: undefined,
});
