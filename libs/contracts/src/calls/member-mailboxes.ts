import { z } from 'zod';
import { defineCall } from '../declaration/call.ts';
import { MAILBOXES_DESCRIBED_MAX } from '../limits.ts';
import { appConnectionRoutes } from '../resources/app-connections.ts';
import { emailAddress } from '../schema/email-address.ts';
import { opaqueId } from '../schema/fields.ts';
import { newMailbox } from '../schema/mailbox-fields.ts';

const asked = { service: 'mail', callers: ['grants'] } as const;
const member = { workspaceId: z.string(), userId: z.string() };

/**
 * Signs in to a mailbox that a Member described, and stores it as `addMailbox` does. It is a call of its own, so that a replica that
 * does not check the addresses of Members never gets one.
 */
export const addOwnMailbox = defineCall({
  ...asked,
  name: 'add_own_mailbox',
  effect: 'write',
  input: z.object({ ...member, ...newMailbox }),
  output: z.object({ connectionId: opaqueId }),
});

/** Begins the sign-in of a Member at Microsoft 365; the latest one of a Member counts. */
export const beginAuthorization = defineCall({
  ...asked,
  name: 'begin_authorization',
  effect: 'write',
  input: z.object({ ...member, ...appConnectionRoutes.authorize.input.shape }),
  output: z.object({ id: opaqueId, authorizationUrl: z.string() }),
});

/** Redeems the code of a sign-in, once, and stores the mailbox of the person. */
export const completeAuthorization = defineCall({
  ...asked,
  name: 'complete_authorization',
  effect: 'write',
  input: z.object({ ...member, ...appConnectionRoutes.complete.input.shape }),
  output: z.object({ connectionId: opaqueId, email: emailAddress }),
});

/** Reads the mailboxes of connections of a Workspace, also of those that have ended. */
export const describeMailboxes = defineCall({
  ...asked,
  name: 'describe_mailboxes',
  effect: 'read',
  input: z.object({
    workspaceId: z.string(),
    connectionIds: z.array(z.string()).max(MAILBOXES_DESCRIBED_MAX),
  }),
  output: z.object({
    mailboxes: z.array(
      z.object({
        connectionId: z.string(),
        userId: z.string(),
        provider: z.string(),
        email: z.string(),
        available: z.boolean(),
      }),
    ),
  }),
});
