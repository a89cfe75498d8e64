import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';

export const getUsage = defineOperation({
  id: 'record_store.get_usage',
  service: 'record-store',
  title: 'Get the usage of the quota',
  description: 'Returns the quota of the Workspace and its used part.',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    quota: z.int().meta({ description: 'How many bytes of Records the Workspace may store.' }),
    stored_bytes: z.int().meta({ description: 'The UTF-8 bytes of every kept revision.' }),
  }),
  exampleResult: { quota: 1_073_741_824, stored_bytes: 52_428_800 },
});
