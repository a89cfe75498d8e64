import { z } from 'zod';
import { connectedApp, role } from '../../authority/principal.ts';
import { defineCall } from '../../declaration/call.ts';
import { defineCommand } from '../../declaration/command.ts';
import { type AppConnection, appConnectionRoutes } from '../../resources/app-connections.ts';
import { type Member, membershipRoutes } from '../../resources/members.ts';
import { emailAddress } from '../../schema/email-address.ts';
import { field, opaqueId, timestamp } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { defineCommandOf, result } from './command-of.ts';
import { membershipChangedAt, user, workspace } from './fields.ts';
import { mailboxOptions, needsMailSecret } from './mail-providers.ts';

/** A Member as operators see them. */
type ListedMember = Member & {
  /** When the erasure of the user was complete. */
  readonly erasedAt?: string;
};

const limitShape = z.object({ calls_per_second: z.int().nullable(), suspended: z.boolean() });

const workspaceShape = z.object({
  workspace_id: z.string(),
  name: z.string(),
  created_at: timestamp,
  /** When the Workspace was deleted; a deleted Workspace is listed until its erasure is complete. */
  deleted_at: timestamp.optional(),
  erased_from: timestamp.optional(),
  /** Of a Workspace that has, or had, one. */
  limit: limitShape.optional(),
});

const force = field(z.boolean().default(false), 'Also when the Workspace is then without an Owner.');

const again = field(
  z.boolean().default(false),
  'Also after the erasure is complete, for a service that was set back to an older backup.',
);

const app = field(connectedApp, 'The app.');

export const createWorkspace = defineCommand({
  id: 'admin.grants.create_workspace',
  command: 'workspace create',
  summary: 'Creates a Workspace; each time another one.',
  effect: 'write',
  input: z.object({
    name: field(text({ min: 1, max: 100 }), 'The display name of the Workspace.'),
  }),
  output: z.object({ workspace_id: z.string() }),
  targets: (_input, result) => [result?.workspace_id],
});

export const listWorkspaces = defineCommand({
  id: 'admin.grants.list_workspaces',
  command: 'workspace list',
  summary: 'Lists the Workspaces, oldest first; deleted ones until their erasure is complete.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ workspaces: z.array(workspaceShape) }),
});

export const deleteWorkspace = defineCommand({
  id: 'admin.grants.delete_workspace',
  command: 'workspace delete',
  summary:
    'Deletes a Workspace: every call is refused at once, and after the grace period all services erase it. A repetition postpones nothing.',
  effect: 'write',
  input: z.object({
    workspace,
    grace_days: field(
      z.int().min(0).max(366).default(30),
      'Days until the erasure begins; until then workspace undelete brings it back.',
    ),
    again,
  }),
  output: z.object({ workspace: workspaceShape }),
});

export const undeleteWorkspace = defineCommand({
  id: 'admin.grants.undelete_workspace',
  command: 'workspace undelete',
  summary: 'Brings a deleted Workspace back as it was, unless its erasure has begun.',
  effect: 'write',
  input: z.object({ workspace }),
  output: z.object({ workspace: workspaceShape }),
});

export const limitWorkspace = defineCommand({
  id: 'admin.grants.limit_workspace',
  command: 'workspace limit',
  summary:
    'Limits the calls of a Workspace, of all gateways together, or suspends it, from the next call on; without an option it shows its limit. Its Owners get an event.',
  effect: 'write',
  input: z.object({
    workspace,
    calls_per_second: field(
      z.int().min(1).max(1_000_000).optional(),
      'The most calls in a second; those beyond get 503 with Retry-After.',
    ),
    no_limit: field(z.boolean().default(false), 'As many calls as before.'),
    suspend: field(
      z.boolean().default(false),
      'Refuses every call with workspace_suspended, but reads of the audit log by Owners; webhooks wait.',
    ),
    resume: field(z.boolean().default(false), 'Ends a suspension.'),
  }),
  output: z.object({ limit: limitShape }),
  targets: ({ workspace }) => [workspace],
});

export const listMembers = defineCommand({
  id: 'admin.grants.list_members',
  command: 'member list',
  summary: 'Lists the Members of a Workspace, removed ones too, by user id.',
  effect: 'read',
  input: z.object({ workspace }),
  output: result<{ members: ListedMember[] }>(),
});

export const addMember = defineCommandOf(membershipRoutes.add, {
  id: 'admin.grants.add_member',
  command: 'member add',
  summary:
    'Adds a user to a Workspace, or a removed Member again. An active Member with this role stays as they are.',
  input: z.object({ workspace, user, role: field(role.default('member'), 'Their role.') }),
});

export const removeMember = defineCommandOf(membershipRoutes.remove, {
  id: 'admin.grants.remove_member',
  command: 'member remove',
  input: z.object({ workspace, user, force }),
});

export const eraseMember = defineCommand({
  id: 'admin.grants.erase_member',
  command: 'member erase',
  summary:
    'Removes a Member, and soon erases their grants, mailboxes, secrets, mail history, personal files and places in shared mailboxes. Their user id stays in what they wrote (docs/data.md). member list shows erasedAt when it is complete.',
  effect: 'write',
  input: z.object({ workspace, user, force, again }),
  output: result<{ member: ListedMember }>(),
});

export const setMemberRole = defineCommandOf(membershipRoutes.change, {
  id: 'admin.grants.set_member_role',
  command: 'member role',
  summary: 'Sets the role of a Member; a new role stops every grant that acts as them.',
  input: z.object({ workspace, user, role: field(role, 'Their new role.'), force }),
});

export const connectApp = defineCommandOf(appConnectionRoutes.connect, {
  id: 'admin.grants.connect_app',
  command: 'app connect',
  summary:
    'Connects an app for a Member; grants bound to an earlier connection stop. The mail service signs in to the mailbox once.',
  needsSecret: needsMailSecret,
  input: z.object({
    workspace,
    user,
    app,
    email: field(
      emailAddress.optional(),
      'The address of their own mailbox; without one they draft in shared mailboxes only.',
    ),
    ...mailboxOptions,
  }),
  targets: (_input, result) => [result?.connection.id],
});

export const disconnectApp = defineCommand({
  id: 'admin.grants.disconnect_app',
  command: 'app disconnect',
  summary: "Ends a Member's connection of an app; every grant that needs it stops.",
  effect: 'write',
  input: z.object({ workspace, user, app }),
  output: result<{ disconnected: Pick<AppConnection, 'app' | 'userId'> }>(),
});

export const listApps = defineCommandOf(appConnectionRoutes.list, {
  id: 'admin.grants.list_apps',
  command: 'app list',
  summary: 'Lists the connected apps of a Workspace, by user id.',
  input: z.object({ workspace }),
});

/**
 * Signs in to a Member's mailbox, and stores it under a fresh connection id, which grants then binds to the Member. `addMailbox` answers
 * the live connection instead when that has an equal mailbox, its secret included, that works.
 */
export const addMailbox = defineCall({
  id: 'mail.add_mailbox',
  callers: ['grants'],
  effect: 'write',
  input: z.object({
    workspaceId: z.string(),
    userId: z.string(),
    email: emailAddress,
    provider: z.string(),
    settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    secret: z.string().optional(),
    /** The Member's live connection, if any. */
    connectionId: z.string().optional(),
    changedAt: membershipChangedAt,
  }),
  // Every call of the Member has the connection id.
  output: z.object({ connectionId: opaqueId }),
});

/**
 * The live connection of a Member's mail suite: mail lets the accounts of their other mailboxes expire, or without one deletes them all.
 * Accounts that were stored after `changedAt` stay.
 */
export const keepMailbox = defineCall({
  id: 'mail.keep_mailbox',
  callers: ['grants'],
  effect: 'write',
  input: z.object({
    workspaceId: z.string(),
    userId: z.string(),
    connectionId: z.string().optional(),
    changedAt: membershipChangedAt,
  }),
  output: z.object({}),
});
