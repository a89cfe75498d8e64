import { z } from 'zod';
import { senderRoutes as routes } from '../../resources/senders.ts';
import { emailAddress } from '../../schema/email-address.ts';
import { field } from '../../schema/fields.ts';
import { displayName } from '../../schema/mailbox-fields.ts';
import { defineCommandOf } from './command-of.ts';
import { user, workspace } from './fields.ts';
import { mailboxOptions, needsMailSecret } from './mail-providers.ts';

export const addSender = defineCommandOf(routes.add, {
  id: 'admin.mail.add_sender',
  command: 'sender add',
  needsSecret: needsMailSecret,
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
  targets: (_input, result) => [result?.sender.senderId],
});

export const listSenders = defineCommandOf(routes.list, {
  id: 'admin.mail.list_senders',
  command: 'sender list',
  columns: ['senderId', 'email', 'displayName', 'members', 'interactive', 'scheduled', 'available'],
  input: z.object({ workspace }),
});

export const removeSender = defineCommandOf(routes.remove, {
  id: 'admin.mail.remove_sender',
  command: 'sender remove',
  input: z.object({ workspace, sender: field(z.string(), 'Its senderId.', 'snd_0198f2') }),
});
