import { z } from 'zod';
import { defineCall } from '../declaration/call.ts';

const asked = { callers: ['grants'], effect: 'read' } as const;
const found = z.object({ found: z.array(z.string()) });

/** Finds the Collections of the Workspace among these ids, for the data scope of a new grant. */
export const findCollections = defineCall({
  id: 'record-store.find_collections',
  ...asked,
  input: z.object({ workspaceId: z.string(), ids: z.array(z.string()) }),
  output: found,
});

/** Finds the senders that the Member may use among these ids, for the data scope of a new grant. */
export const findSenders = defineCall({
  id: 'mail.find_senders',
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
