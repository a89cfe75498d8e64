import { z } from 'zod';
import { defineCall } from './call.ts';

/** Which of these Collections exist in the Workspace? Asked when a grant is limited to them. */
export const findCollections = defineCall({
  subject: 'record-store.find_collections',
  service: 'record-store',
  callers: ['grants'],
  effect: 'read',
  input: z.strictObject({ workspaceId: z.string(), ids: z.array(z.string()) }),
  output: z.strictObject({ found: z.array(z.string()) }),
});
