import { z } from 'zod';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { exampleId } from '../ids/ids.ts';
import { senderType } from '../operations/mail/shapes.ts';
import { field, pathId, userId } from '../schema/fields.ts';
import { displayName, newMailbox } from '../schema/mailbox-fields.ts';

/** A shared mailbox as Owners see it. */
const sharedMailbox = z.strictObject({
  senderId: z.string(),
  type: senderType,
  displayName: z.string(),
  email: z.string(),
  members: field(z.array(z.string()).nullable(), 'Null when everyone may use it.'),
  everyone: z.boolean(),
  interactive: z.boolean(),
  scheduled: z.boolean(),
  available: field(z.boolean(), 'Whether drafts can be created in it now.'),
});
export type SharedMailbox = z.output<typeof sharedMailbox>;

const uses = {
  displayName: field(displayName, 'The name that stands beside the address.', 'Support'),
  members: field(
    z.array(userId).min(1).max(1000).optional(),
    'The Members who may use it; these or everyone.',
    ['mika'],
  ),
  everyone: field(z.literal(true).optional(), 'Every Member of the Workspace may use it.', true),
  interactive: field(z.boolean(), 'Whether sessions and operation grants may use it.', true),
  scheduled: field(z.boolean(), 'Whether routine grants that list it may use it.', false),
};
const named = z.strictObject({ id: pathId('The senderId of a shared mailbox.', 'sender') });

const sender = {
  senderId: exampleId('sender'),
  type: 'shared_mailbox',
  displayName: 'Support',
  email: 'support@example.com',
  members: null,
  everyone: true,
  interactive: true,
  scheduled: false,
  available: true,
};

const all = { role: 'owner', path: '/api/v1/senders' } as const;
const output = z.strictObject({ sender: sharedMailbox });
const one = { ...all, path: `${all.path}/{id}`, errors: ['sender_not_found'], input: named, output } as const;

/** The routes with which Owners manage the shared mailboxes of their Workspace. */
export const senderRoutes = {
  list: defineMemberRoute({
    ...all,
    id: 'mail.list_senders',
    method: 'get',
    title: 'List shared mailboxes',
    description: 'All of the Workspace, by address.',
    input: z.strictObject({}),
    output: z.strictObject({ senders: z.array(sharedMailbox) }),
    answer: { description: 'The shared mailboxes.', example: { senders: [sender] } },
  }),
  add: defineMemberRoute({
    ...all,
    id: 'mail.create_sender',
    method: 'post',
    title: 'Add a shared mailbox',
    description:
      'Adds a mailbox for the Members that are named, or for everyone. For an address that has one it replaces the rest and keeps the senderId. The platform signs in once, and stores nothing when that fails.',
    input: z.strictObject({ ...newMailbox, ...uses }),
    example: { email: sender.email, host: 'imap.example.com', secret: 'an app password', everyone: true },
    output,
    answer: { status: 201, description: 'The shared mailbox.', example: { sender } },
    targets: (_input, result) => [result?.sender.senderId],
  }),
  change: defineMemberRoute({
    ...one,
    id: 'mail.change_sender',
    method: 'patch',
    title: 'Change a shared mailbox',
    description: 'Changes the fields that are named; the very next call meets the change.',
    input: named.extend({
      ...uses,
      displayName: uses.displayName.optional(),
      interactive: uses.interactive.optional(),
      scheduled: uses.scheduled.optional(),
    }),
    example: { members: ['mika'], scheduled: true },
    answer: {
      description: 'The shared mailbox, changed.',
      example: { sender: { ...sender, members: ['mika'], everyone: false, scheduled: true } },
    },
  }),
  remove: defineMemberRoute({
    ...one,
    id: 'mail.delete_sender',
    method: 'delete',
    title: 'Remove a shared mailbox',
    description: 'Removes the mailbox for everyone, and deletes its password.',
    answer: {
      description: 'The shared mailbox as it was.',
      example: { sender: { ...sender, available: false } },
    },
  }),
};
