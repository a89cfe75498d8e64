import { z } from 'zod';
import { defineCall } from './call.ts';

const asked = { callers: ['grants'], effect: 'read', idempotent: 'always' } as const;
const found = z.object({ found: z.array(z.string()) });

/** Which of these Collections exist in the Workspace? Asked when a grant is limited to them. */
export const findCollections = defineCall({
  name: 'find_collections',
  service: 'record-store',
  ...asked,
  input: z.object({ workspaceId: z.string(), ids: z.array(z.string()) }),
  output: found,
});

/** Which of these senders may this Member use? Asked when a grant is limited to them. */
export const findSenders = defineCall({
  name: 'find_senders',
  service: 'mail',
  ...asked,
  input: z.object({
    workspaceId: z.string(),
    userId: z.string(),
    /** The Member's connection of the mail suite. */
    connectionId: z.string().optional(),
    ids: z.array(z.string()),
  }),
  output: found,
});
