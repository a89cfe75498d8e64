import { z } from 'zod';
import { connectedApp, role } from '../authority/principal.ts';
import { emailAddress } from '../schema/email-address.ts';
import { opaqueId } from '../schema/fields.ts';
import { text } from '../schema/text.ts';
import { defineCall } from './call.ts';

const operator = { callers: ['admin'] } as const;
const workspace = opaqueId;
const user = text({ min: 1, max: 255 });

const member = z.strictObject({
  workspace_id: z.string(),
  user_id: z.string(),
  role,
  status: z.enum(['active', 'removed']),
});

/** Creates a Workspace. */
export const createWorkspace = defineCall({
  subject: 'admin.grants.create_workspace',
  service: 'grants',
  ...operator,
  effect: 'write',
  input: z.strictObject({ name: text({ min: 1, max: 100 }) }),
  output: z.strictObject({ workspace_id: z.string() }),
});

/** Adds a user to a Workspace, or adds a removed one again. An active Member with this role stays as it is. */
export const addMember = defineCall({
  subject: 'admin.grants.add_member',
  service: 'grants',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, user, role }),
  output: z.strictObject({ member }),
});

/** Removes a Member; every grant that acts as them stops. */
export const removeMember = defineCall({
  subject: 'admin.grants.remove_member',
  service: 'grants',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, user }),
  output: z.strictObject({ member }),
});

/** Gives a Member a role; when it is another one, every grant that acts as them stops. */
export const setMemberRole = defineCall({
  subject: 'admin.grants.set_member_role',
  service: 'grants',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, user, role }),
  output: z.strictObject({ member }),
});

/** Connects an app for a Member under a fresh connection id: the one that the app's own service made, or a new one. */
export const connectApp = defineCall({
  subject: 'admin.grants.connect_app',
  service: 'grants',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, user, app: connectedApp, connection: opaqueId.optional() }),
  output: z.strictObject({
    connection: z.strictObject({ id: z.string(), app: connectedApp, user_id: z.string() }),
  }),
});

/** Ends a Member's connection of an app; every grant that needs it stops. */
export const disconnectApp = defineCall({
  subject: 'admin.grants.disconnect_app',
  service: 'grants',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, user, app: connectedApp }),
  output: z.strictObject({ disconnected: z.strictObject({ app: connectedApp, user_id: z.string() }) }),
});

const quota = z.int().min(0).meta({ description: 'Bytes.' });

/** Sets how many bytes of Records a Workspace may store. */
export const setQuota = defineCall({
  subject: 'admin.record-store.set_quota',
  service: 'record-store',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, bytes: quota }),
  output: z.strictObject({ quota }),
});

/** Tells the quota of a Workspace and how much of it is used, in bytes. */
export const showQuota = defineCall({
  subject: 'admin.record-store.show_quota',
  service: 'record-store',
  ...operator,
  effect: 'read',
  input: z.strictObject({ workspace }),
  output: z.strictObject({ quota, stored_bytes: z.int() }),
});

/**
 * Sums what a Workspace stores anew, in bytes, and mends what is kept of it by `drift_bytes`: positive when it was too
 * little, 0 when it was right.
 */
export const recountQuota = defineCall({
  subject: 'admin.record-store.recount_quota',
  service: 'record-store',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace }),
  output: z.strictObject({ quota, stored_bytes: z.int(), drift_bytes: z.int() }),
});

/** A name as it stands beside an address. */
const displayName = text({ min: 1, max: 100 }).regex(
  /^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u,
  'must be printable, without white space around it',
);

/** Keeps how to reach a Member's mailbox, under the connection id that `connectApp` then binds to the Member. */
export const addMailbox = defineCall({
  subject: 'admin.mail.add_mailbox',
  service: 'mail',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, user, email: emailAddress, provider: text({ min: 1, max: 50 }) }),
  output: z.strictObject({ connection_id: z.string() }),
});

/**
 * Adds a shared mailbox that Members may draft e-mails in: those listed, or every Member when none is. Repeated for
 * the same address it replaces the rest and keeps the sender_id.
 */
export const addSender = defineCall({
  subject: 'admin.mail.add_sender',
  service: 'mail',
  ...operator,
  effect: 'write',
  input: z.strictObject({
    workspace,
    email: emailAddress,
    display_name: displayName,
    members: z.array(user).max(1000),
    interactive: z.boolean(),
    scheduled: z.boolean(),
  }),
  output: z.strictObject({ sender: z.strictObject({ sender_id: z.string(), email: z.string() }) }),
});

/** Makes a file visible: to every Member, or with `user` to that Member alone. */
export const addFile = defineCall({
  subject: 'admin.knowledge.add_file',
  service: 'knowledge',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, user: user.optional(), path: text({ min: 1, max: 1000 }) }),
  output: z.strictObject({ file: z.strictObject({ key: z.string(), path: z.string() }) }),
});
