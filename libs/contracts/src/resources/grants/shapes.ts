import { z } from 'zod';
import { grantData } from '../../authority/principal.ts';
import { KEY_MAX_LENGTH, OUTPUT_DEFINITION_MAX_LENGTH } from '../../limits.ts';
import { dateTime, field, nextCursor, paging, timestamp } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

const grantStatus = z.enum(['active', 'expired', 'revoked', 'stopped']);
export type GrantStatus = z.output<typeof grantStatus>;

/** Why a grant stopped for good. */
const stoppedReason = z.enum(['member_removed', 'role_changed', 'app_disconnected']);
export type StoppedReason = z.output<typeof stoppedReason>;

/** The most distinct runs of a routine grant in any period of this length. */
export const maximumCadence = z.strictObject({
  invocations: field(z.int().min(1), 'Runs in the period: distinct x-routine-invocation-id.', 1),
  periodSeconds: field(
    z
      .int()
      .min(1)
      .max(366 * 86_400),
    'The length of the period, which slides, in seconds.',
    86_400,
  ),
});
export type MaximumCadence = z.output<typeof maximumCadence>;

const common = {
  id: z.string(),
  name: z.string().nullable(),
  workspaceId: z.string(),
  userId: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: field(timestamp.nullable(), 'To the minute.'),
  secretHint: field(z.string(), 'The last 4 characters of the secret.'),
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

/** A grant as its Member and the Owners see it, without its secret. */
export const grant = z.discriminatedUnion('kind', [operationGrant, routineGrant]);
export type Grant = z.output<typeof grant>;

/** An example of `expiresAt` that stays in the future: the end of this year. */
export const exampleExpiry = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`;

const expiresAt = field(
  dateTime,
  'When the grant ends: an RFC 3339 date-time in the future, at most 366 days ahead.',
  exampleExpiry,
);
const name = field(text({ min: 1, max: 100 }), 'The display name of the grant.', 'Nightly import');
const idempotencyKey = field(
  text({ min: 1, max: KEY_MAX_LENGTH }),
  'Names this create, so that it can be repeated safely. While no secret of the grant was used, the repetition returns it with a fresh secret, and the earlier one stops. Once one was used, it returns the grant without a secret and changes nothing.',
  'nightly-import-2026',
);

/** The signed-in user on the routes that manage grants, from the verified session token. */
export const sessionClaims = z.object({
  workspaceId: z.string(),
  userId: z.string(),
  /** Whether the user has just signed in at the console. */
  isFresh: z.literal(true).optional(),
});
export type SessionClaims = z.output<typeof sessionClaims>;

export const operationGrantRequest = z.strictObject({
  operationScope: field(
    text({ min: 1, max: 200 }),
    'An operation id from GET /api/v1/operations.',
    'record_store.push_record',
  ),
  expiresAt,
  name: name.optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type OperationGrantRequest = z.output<typeof operationGrantRequest>;

export const routineGrantRequest = z.strictObject({
  name,
  operations: field(
    z
      .array(text({ min: 1, max: 200 }))
      .min(1)
      .max(100),
    'Operation ids from GET /api/v1/operations.',
    ['record_store.push_record'],
  ),
  data: field(
    grantData.default({}),
    'The data it reaches; what is not listed is refused. Each operation that reaches data needs a list of its kind.',
    { collectionIds: ['col_0198f2d0c4b17a3e9d51c2aa40e7b6f3'] },
  ),
  outputDefinition: field(
    text({ min: 1, max: OUTPUT_DEFINITION_MAX_LENGTH }).optional(),
    'The Procedure or output definition that its e-mails are for; required with mail.send_email.',
    'weekly-report',
  ),
  maximumCadence: field(maximumCadence, 'How often the job may run.', {
    invocations: 1,
    periodSeconds: 86_400,
  }),
  expiresAt,
  idempotencyKey: idempotencyKey.optional(),
});
export type RoutineGrantRequest = z.output<typeof routineGrantRequest>;

export const grantListQuery = z.strictObject({
  status: field(grantStatus.optional(), 'Only those with this status.', 'active'),
  ...paging,
});

/** The answer of a create, and of its repetition with the idempotency key. */
export const createdGrant = z.strictObject({
  grant,
  secret: field(
    z.string().optional(),
    'Shown here and nowhere else. Left out of a repetition once the secret was used.',
  ),
});
export const grantPage = z.strictObject({ grants: z.array(grant), nextCursor });
export const revokedGrant = z.strictObject({ grant });
