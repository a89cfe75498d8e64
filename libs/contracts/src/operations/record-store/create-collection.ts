import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { field } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { exampleCollection } from './examples.ts';
import { collection } from './shapes.ts';

export const createCollection = defineOperation({
  id: 'record_store.create_collection',
  service: 'record-store',
  title: 'Create a Collection',
  description:
    'Creates a Collection that Records can be pushed into. Repeating an identical create returns the existing Collection.',
  availability: 'owner_workspace',
  effect: 'write',
  input: z.strictObject({
    name: field(text({ min: 1, max: 100 }), 'Unique in the Workspace.', 'customers'),
    description: field(text({ max: 1000 }).default(''), 'The purpose.', 'One Record for each customer.'),
    member_writes_enabled: field(
      z.boolean().default(false),
      'Whether Members who are not Owners may push and change Records.',
      true,
    ),
  }),
  example: { name: 'customers', description: 'One Record for each customer.', member_writes_enabled: true },
  output: z.strictObject({ collection }),
  exampleResult: { collection: exampleCollection },
  errors: ['record_store_collection_name_taken'],
  targets: (_input, result) => [result?.collection.id],
});
