import { z } from 'zod';
import { grantData } from '../../authority/principal.ts';
import { KEY_MAX_LENGTH, OUTPUT_DEFINITION_MAX_LENGTH } from '../../limits.ts';
import { dateTime, nextCursor, paging, timestamp } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

/** The status of a grant. */
const grantStatus = z.enum(['active', 'expired', 'revoked', 'stopped']);
export type GrantStatus = z.output<typeof grantStatus>;

/** Why a grant stopped for good. */
const stoppedReason = z.enum(['member_removed', 'role_changed', 'app_disconnected']);
export type StoppedReason = z.output<typeof stoppedReason>;

/** The most distinct runs of a routine grant in any period of this length. */
export const maximumCadence = z.strictObject({
  invocations: z
    .int()
    .min(1)
    .meta({ description: 'Runs in the period: distinct x-routine-invocation-id.', examples: [1] }),
  periodSeconds: z
    .int()
    .min(1)
    .max(366 * 86_400)
    .meta({ description: 'The length of the period, which slides, in seconds.', examples: [86_400] }),
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

/** A grant as its Member and the Owners see it, without its secret. */
export const grant = z.discriminatedUnion('kind', [operationGrant, routineGrant]);
export type Grant = z.output<typeof grant>;

/** An example of `expiresAt` that stays in the future: the end of this year. */
export const exampleExpiry = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`;

const expiresAt = dateTime.meta({
  description: 'When the grant ends: an RFC 3339 date-time in the future, at most 366 days ahead.',
  examples: [exampleExpiry],
});
const name = text({ min: 1, max: 100 }).meta({
  description: 'The display name of the grant.',
  examples: ['Nightly import'],
});
const idempotencyKey = text({ min: 1, max: KEY_MAX_LENGTH }).meta({
  description:
    'Names this create, so that it can be repeated safely. While no secret of the grant was used, the repetition returns it with a fresh secret, and the earlier one stops. Once one was used, it returns the grant without a secret and changes nothing.',
  examples: ['nightly-import-2026'],
});

/** The signed-in user on the routes that manage grants, from the verified session token. */
export const sessionClaims = z.object({
  workspaceId: z.string(),
  userId: z.string(),
  /** Whether the user has just signed in at the console. */
  isFresh: z.literal(true).optional(),
});
export type SessionClaims = z.output<typeof sessionClaims>;

/** The body of POST /api/v1/operation-grants. */
export const operationGrantRequest = z.strictObject({
  operationScope: text({ min: 1, max: 200 }).meta({
    description: 'An operation id from GET /api/v1/operations.',
    examples: ['record_store.push_record'],
  }),
  expiresAt,
  name: name.optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type OperationGrantRequest = z.output<typeof operationGrantRequest>;

/** The body of POST /api/v1/routine-grants. */
export const routineGrantRequest = z.strictObject({
  name,
  operations: z
    .array(text({ min: 1, max: 200 }))
    .min(1)
    .max(100)
    .meta({
      description: 'Operation ids from GET /api/v1/operations.',
      examples: [['record_store.push_record']],
    }),
  data: grantData.default({}).meta({
    description:
      'The data it reaches; what is not listed is refused. Each operation that reaches data needs a list of its kind.',
    examples: [{ collectionIds: ['col_0198f2d0c4b17a3e9d51c2aa40e7b6f3'] }],
  }),
  outputDefinition: text({ min: 1, max: OUTPUT_DEFINITION_MAX_LENGTH })
    .optional()
    .meta({
      description:
        'The Procedure or output definition that its e-mails are for; required with mail.send_email.',
      examples: ['weekly-report'],
    }),
  maximumCadence: maximumCadence.meta({
    description: 'How often the job may run.',
    examples: [{ invocations: 1, periodSeconds: 86_400 }],
  }),
  expiresAt,
  idempotencyKey: idempotencyKey.optional(),
});
export type RoutineGrantRequest = z.output<typeof routineGrantRequest>;

/** The query of GET /api/v1/…-grants. */
export const grantListQuery = z.strictObject({
  status: grantStatus.optional().meta({ description: 'Only those with this status.', examples: ['active'] }),
  ...paging,
});

/** The answer of a create, and of its repetition with the idempotency key. */
export const createdGrant = z.strictObject({
  grant,
  secret: z
    .string()
    .optional()
    .meta({ description: 'Shown here and nowhere else. Left out of a repetition once the secret was used.' }),
});
export const grantPage = z.strictObject({ grants: z.array(grant), nextCursor });
export const revokedGrant = z.strictObject({ grant });
