import { z } from 'zod';
import { defineCall } from './call.ts';

/** Which of these senders may this Member use? Asked when a grant is limited to them. */
export const findSenders = defineCall({
  subject: 'mail.find_senders',
  service: 'mail',
  callers: ['grants'],
  effect: 'read',
  input: z.strictObject({
    workspaceId: z.string(),
    userId: z.string(),
    /** The Member's connection of the mail suite. */
    connectionId: z.string().optional(),
    ids: z.array(z.string()),
  }),
  output: z.strictObject({ found: z.array(z.string()) }),
});
