import { z } from 'zod';
import { grantData, heldPrincipal, principal, role, routineScope } from '../authority/principal.ts';
import { defineCall } from '../declaration/call.ts';
import { services } from '../services/services.ts';

/** The proof of a caller to the gateway: the claims of a verified session token, or the possession of a secret of a grant. */
const credential = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('session'),
    workspaceId: z.string(),
    userId: z.string(),
    /** When the Member signed in at the console, in seconds since the epoch; only its tokens have it. */
    authTime: z.number().optional(),
  }),
  z.object({
    kind: z.literal('grant'),
    /** SHA-256 of the secret, base64url. */
    secretHash: z.string(),
    /** Whether the secret is an access token. */
    isToken: z.literal(true).optional(),
  }),
]);
export type Credential = z.output<typeof credential>;
export type SessionCredential = Extract<Credential, { kind: 'session' }>;

/** Set when the call is counted by another request: the limit of its Workspace counts it once. */
const isUncounted = z.boolean().optional();

const otherServices = services.filter((service) => service !== 'grants');

/**
 * Decides whether a credential may run an operation now. The answer is the principal, marked when a rule may hold the call; a refusal has
 * the exact reason.
 */
export const authorize = defineCall({
  id: 'grants.authorize',
  callers: ['gateway'],
  effect: 'read',
  input: z.object({
    credential,
    operation: z.string(),
    /** The header x-routine-invocation-id, as received. */
    invocationId: z.string().optional(),
    isUncounted,
  }),
  output: z.union([principal, heldPrincipal]),
});

/**
 * Decides about a write that a rule may hold: its service asks after it has checked the input and the data scope. Safe to repeat, so a
 * failure of it is one of a read: nothing was done.
 */
export const hold = defineCall({
  id: 'grants.hold',
  callers: otherServices,
  effect: 'read',
  input: z.object({
    principal,
    operation: z.string(),
    /** The idempotency key of the body or of the header. */
    key: z.string().optional(),
    /** Of a custom operation, as its service executes it: an approval holds for it alone. */
    revision: z.int().optional(),
    /** The body as it was sent, base64. */
    body: z.string(),
    /** The approval that let the call through although it had its effect before: the approval counts no more. */
    spent: z.string().optional(),
  }),
  output: z.discriminatedUnion('verdict', [
    z.object({ verdict: z.literal('free') }),
    z.object({
      verdict: z.literal('approved'),
      approvalId: z.string(),
      /** The body that was approved, base64, when that of this call is the same by value alone. */
      body: z.string().optional(),
    }),
    z.object({ verdict: z.literal('waiting'), approvalId: z.string() }),
    z.object({ verdict: z.literal('rejected'), approvalId: z.string(), reason: z.string().optional() }),
  ]),
});

/** Lists the operations that a credential may run now, with the limits of a grant's data scope, and the names of its data where a list shows them. */
export const discover = defineCall({
  id: 'grants.discover',
  callers: ['gateway'],
  effect: 'read',
  input: z.object({ credential, withNames: z.boolean().optional(), isUncounted }),
  output: z.object({
    operations: z.array(z.string()),
    routine: routineScope.optional(),
    /** The names of data of the routine grant by id, as far as their services answered. */
    names: z.record(z.string(), z.string()).optional(),
    /** The Workspace, and the revision of each custom operation among them; absent without any. */
    custom: z.object({ workspaceId: z.string(), revisions: z.record(z.string(), z.int()) }).optional(),
  }),
});

/**
 * Reads the name of a grant, and its data scope; null without one, and for an unknown id. A service may cache the answer, because it never
 * changes; `authorize` decides on every call whether the grant is still valid.
 */
export const grantedData = defineCall({
  id: 'grants.granted_data',
  callers: otherServices,
  effect: 'read',
  input: z.object({ grantId: z.string() }),
  output: z.object({ data: grantData.nullable(), name: z.string().nullish() }),
});

/**
 * Reads the present role of a signed-in Member, and counts the call against the limit of the Workspace; refuses `workspace_membership_required`
 * and, unless Owners may make the call, `workspace_suspended`. For calls that are not operations.
 */
export const memberRole = defineCall({
  id: 'grants.member_role',
  callers: ['events', 'audit', 'mail', 'custom-operations'],
  effect: 'read',
  input: z.object({
    workspaceId: z.string(),
    userId: z.string(),
    /** Whether an Owner may make the call while the Workspace is suspended. */
    whileSuspended: z.boolean().optional(),
  }),
  output: z.object({ role }),
});

/**
 * Checks that a Workspace exists, and finds its active Members among these users. A service calls it before it runs an
 * operator's command.
 */
export const knownMembers = defineCall({
  id: 'grants.known_members',
  callers: otherServices,
  effect: 'read',
  input: z.object({ workspace: z.string(), users: z.array(z.string()) }),
  output: z.object({ isWorkspace: z.boolean(), members: z.array(z.string()) }),
});

/** Finds the suspended ones among Workspaces: nothing is sent for them. */
export const suspendedWorkspaces = defineCall({
  id: 'grants.suspended_workspaces',
  callers: ['events'],
  effect: 'read',
  input: z.object({ workspaceIds: z.array(z.string()).max(500) }),
  output: z.object({ suspended: z.array(z.string()) }),
});

/** Finds the approvals that an active Member sees among these ids, for the events about them. */
export const findApprovals = defineCall({
  id: 'grants.find_approvals',
  callers: ['events'],
  effect: 'read',
  input: z.object({ workspaceId: z.string(), userId: z.string(), ids: z.array(z.string()) }),
  output: z.object({ found: z.array(z.string()) }),
});

/** Describes approvals of a Workspace for a message to people, without a value of the calls; the call of an unknown id has no description. */
export const describeApprovals = defineCall({
  id: 'grants.describe_approvals',
  callers: ['events'],
  effect: 'read',
  input: z.object({ workspaceId: z.string(), ids: z.array(z.string()).max(10) }),
  output: z.object({
    approvals: z.array(
      z.object({ id: z.string(), title: z.string(), caller: z.string(), lapsesAt: z.string() }),
    ),
  }),
});
