import { z } from 'zod';
import { grantData } from '../authority/principal.ts';
import { KEY_MAX_LENGTH } from '../limits.ts';
import { cursor, opaqueId, pageLimit, timestamp } from '../schema/fields.ts';
import { text } from '../schema/text.ts';
import { defineCall } from './call.ts';

const grantStatus = z.enum(['active', 'expired', 'revoked', 'stopped']);
export type GrantStatus = z.output<typeof grantStatus>;

/** Why a grant stopped for good without being revoked. */
export const stoppedReason = z.enum(['member_removed', 'role_changed', 'app_disconnected']);
export type StoppedReason = z.output<typeof stoppedReason>;

/** How many distinct runs a routine grant allows in any stretch of time of this length. */
export const maximumCadence = z.strictObject({
  invocations: z.int().min(1),
  periodSeconds: z
    .int()
    .min(1)
    .max(366 * 86_400),
});
export type MaximumCadence = z.output<typeof maximumCadence>;

const common = {
  id: z.string(),
  name: z.string().nullable(),
  workspaceId: z.string(),
  userId: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp.nullable().meta({ description: 'To the minute.' }),
  secretHint: z.string().meta({ description: 'The last 4 characters of the secret.' }),
  status: grantStatus,
  stoppedReason: stoppedReason.optional(),
};

const operationGrant = z.strictObject({
  ...common,
  kind: z.literal('operation'),
  operationScope: z.string(),
});

const routineGrant = z.strictObject({
  ...common,
  kind: z.literal('routine'),
  operations: z.array(z.string()),
  data: grantData,
  outputDefinition: z.string().nullable(),
  maximumCadence,
});

/** A grant as its Member and the Owners see it: never its secret. */
export const grant = z.discriminatedUnion('kind', [operationGrant, routineGrant]);
export type Grant = z.output<typeof grant>;

/** The kinds of grants; each has its own routes. */
export const grantKind = z.enum(['operation', 'routine']);
export type GrantKind = z.output<typeof grantKind>;

const expiresAt = z.iso.datetime({ offset: true }).meta({ description: 'RFC 3339 date-time in the future.' });
const name = text({ min: 1, max: 100 });

/** Who is signed in on the routes that manage grants, from the verified session token. */
export const sessionClaims = z.strictObject({ workspaceId: z.string(), userId: z.string() });
export type SessionClaims = z.output<typeof sessionClaims>;

/** The body of POST /api/v1/operation-grants. */
export const operationGrantRequest = z.strictObject({
  operationScope: text({ min: 1, max: 200 }).meta({
    description: 'An operation id from GET /api/v1/operations.',
  }),
  expiresAt,
  name: name.optional(),
});
export type OperationGrantRequest = z.output<typeof operationGrantRequest>;

/** The body of POST /api/v1/routine-grants. */
export const routineGrantRequest = z.strictObject({
  name,
  operations: z
    .array(text({ min: 1, max: 200 }))
    .min(1)
    .max(100),
  data: grantData.default({}),
  outputDefinition: text({ min: 1, max: KEY_MAX_LENGTH }).optional(),
  maximumCadence,
  expiresAt,
});
export type RoutineGrantRequest = z.output<typeof routineGrantRequest>;

/** The query of GET /api/v1/…-grants. */
export const grantListQuery = z.strictObject({
  status: grantStatus.optional(),
  limit: pageLimit.default(50),
  cursor: cursor.optional(),
});

const createdGrant = z.strictObject({ grant, secret: z.string() });
const managed = { service: 'grants', callers: ['gateway'] } as const;

/** Creates a grant that allows one operation. The secret is in this answer and nowhere else. */
export const createOperationGrant = defineCall({
  subject: 'grants.create_operation_grant',
  ...managed,
  effect: 'write',
  input: operationGrantRequest,
  output: createdGrant,
});

/** Creates a grant for a recurring job. The secret is in this answer and nowhere else. */
export const createRoutineGrant = defineCall({
  subject: 'grants.create_routine_grant',
  ...managed,
  effect: 'write',
  input: routineGrantRequest,
  output: createdGrant,
});

/** Lists grants of one kind, newest first. */
export const listGrants = defineCall({
  subject: 'grants.list',
  ...managed,
  effect: 'read',
  input: grantListQuery.extend({ kind: grantKind }),
  output: z.strictObject({ grants: z.array(grant), nextCursor: z.string().nullable() }),
});

/** Revokes a grant; again gives the same answer. */
export const revokeGrant = defineCall({
  subject: 'grants.revoke',
  ...managed,
  effect: 'write',
  input: z.strictObject({ kind: grantKind, id: opaqueId }),
  output: z.strictObject({ grant }),
});
