import { z } from 'zod';
import { defineCall } from '../declaration/call.ts';
import { foundData } from './named-data.ts';

/** Finds the Collections of the Workspace among these ids and names. */
export const findCollections = defineCall({
  id: 'record-store.find_collections',
  callers: ['grants', 'events'],
  effect: 'read',
  input: z.object({ workspaceId: z.string(), ids: z.array(z.string()) }),
  output: foundData,
});

/** Finds the senders that the Member may use among these ids, with their addresses. */
export const findSenders = defineCall({
  id: 'mail.find_senders',
  callers: ['grants'],
  effect: 'read',
  input: z.object({
    workspaceId: z.string(),
    userId: z.string(),
    /** The Member's connection of the mail suite. */
    connectionId: z.string().optional(),
    ids: z.array(z.string()),
  }),
  output: foundData,
});
