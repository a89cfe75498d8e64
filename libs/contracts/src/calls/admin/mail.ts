import { z } from 'zod';
import { defineCommand } from '../../declaration/command.ts';
import { emailAddress } from '../../schema/email-address.ts';
import { field } from '../../schema/fields.ts';
import { displayName } from '../../schema/mailbox-fields.ts';
import { user, workspace } from './fields.ts';
import { mailboxOptions, needsMailSecret } from './mail-providers.ts';

export const addSender = defineCommand({
  id: 'admin.mail.add_sender',
  command: 'sender add',
  summary:
    'Adds a shared mailbox for the Members that are named, or for everyone. For an address that has one it replaces the rest and keeps the sender_id. The mail service signs in to the mailbox once.',
  needsSecret: needsMailSecret,
  effect: 'write',
  input: z
    .object({
      workspace,
      email: field(emailAddress, 'The address of the mailbox.'),
      display_name: field(displayName, 'The name that stands beside the address.'),
      member: field(
        z.array(user).max(1000).default([]),
        'A Member who may use it; repeatable. This or everyone is required.',
      ),
      everyone: field(z.boolean().default(false), 'Every Member of the Workspace may use it.'),
      interactive: field(z.boolean().default(false), 'Sessions and operation grants may use it.'),
      scheduled: field(z.boolean().default(false), 'Routine grants that list it may use it.'),
      ...mailboxOptions,
    })
    // Repeating the command without --member must not open a restricted mailbox to the Workspace.
    .refine(({ member, everyone }) => everyone === (member.length === 0), {
      error: 'either member or everyone must be given, not both',
    }),
  output: z.object({ sender: z.object({ sender_id: z.string(), email: z.string() }) }),
  targets: (_input, result) => [result?.sender.sender_id],
});

const sender = z.object({
  sender_id: z.string(),
  email: z.string(),
  display_name: z.string(),
  /** Null when everyone may use it. */
  members: z.array(z.string()).nullable(),
  everyone: z.boolean(),
  interactive: z.boolean(),
  scheduled: z.boolean(),
});

export const listSenders = defineCommand({
  id: 'admin.mail.list_senders',
  command: 'sender list',
  summary: 'Lists the shared mailboxes of a Workspace, by address.',
  effect: 'read',
  input: z.object({ workspace }),
  output: z.object({ senders: z.array(sender) }),
});

export const removeSender = defineCommand({
  id: 'admin.mail.remove_sender',
  command: 'sender remove',
  summary: 'Removes a shared mailbox; later calls cannot draft in it.',
  effect: 'write',
  input: z.object({
    workspace,
    sender: field(z.string(), 'Its sender_id.', 'snd_0198f2'),
  }),
  output: z.object({ sender }),
});
