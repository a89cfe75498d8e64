import { z } from 'zod';
import { connectedApp, role } from '../authority/principal.ts';
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

/** Connects an app for a Member under a fresh connection id. */
export const connectApp = defineCall({
  subject: 'admin.grants.connect_app',
  service: 'grants',
  ...operator,
  effect: 'write',
  input: z.strictObject({ workspace, user, app: connectedApp }),
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
