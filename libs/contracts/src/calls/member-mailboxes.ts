import { z } from 'zod';
import { defineCall } from '../declaration/call.ts';
import { MAILBOXES_DESCRIBED_MAX } from '../limits/limits.ts';
import { appConnectionRoutes } from '../resources/app-connections.ts';
import { emailAddress } from '../schema/email-address.ts';
import { opaqueId } from '../schema/fields.ts';
import { newMailbox } from '../schema/mailbox-fields.ts';
import { membershipChangedAt } from './admin/fields.ts';

const member = { workspaceId: z.string(), userId: z.string() };

/**
 * Signs in to a mailbox that a Member described, and stores it as `addMailbox` does. `addOwnMailbox` is a call of its own, so that a
 * replica that does not check the addresses of Members never gets one.
 */
export const addOwnMailbox = defineCall({
  id: 'mail.add_own_mailbox',
  callers: ['grants'],
  effect: 'write',
  input: z.object({
    ...member,
    ...newMailbox,
    connectionId: z.string().optional(),
    changedAt: membershipChangedAt,
  }),
  output: z.object({ connectionId: opaqueId }),
});

/** Begins the sign-in of a Member at Microsoft 365; the latest one of a Member counts. */
export const beginAuthorization = defineCall({
  id: 'mail.begin_authorization',
  callers: ['grants'],
  effect: 'write',
  input: z.object({ ...member, ...appConnectionRoutes.authorize.input.shape }),
  output: z.object({ id: opaqueId, authorizationUrl: z.string() }),
});

/** Redeems the code of a sign-in, once, and stores the mailbox of the person. */
export const completeAuthorization = defineCall({
  id: 'mail.complete_authorization',
  callers: ['grants'],
  effect: 'write',
  input: z.object({ ...member, ...appConnectionRoutes.complete.input.shape, changedAt: membershipChangedAt }),
  output: z.object({ connectionId: opaqueId, email: emailAddress }),
});

/** Reads the mailboxes of connections of a Workspace, also of those that have ended. */
export const describeMailboxes = defineCall({
  id: 'mail.describe_mailboxes',
  callers: ['grants'],
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
