import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { field } from '../../schema/fields.ts';

export const getUsage = defineOperation({
  id: 'record_store.get_usage',
  service: 'record-store',
  title: 'Get the usage of the quota',
  description: 'Returns the quota of the Workspace and its used part.',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    quota: field(z.int(), 'How many bytes of Records the Workspace may store.'),
    stored_bytes: field(z.int(), 'The UTF-8 bytes of every kept revision.'),
  }),
  exampleResult: { quota: 1_073_741_824, stored_bytes: 52_428_800 },
});
