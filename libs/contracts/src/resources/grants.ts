import { z } from 'zod';
import { grantSecretPrefixes } from '../authority/grant-secret.ts';
import { type GrantKind, grantData } from '../authority/principal.ts';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { exampleId } from '../ids/ids.ts';
import { CADENCE_RUNS_MAX, OUTPUT_DEFINITION_MAX_LENGTH } from '../limits/limits.ts';
import { exampleOf } from '../schema/example.ts';
import { dateTime, field, key, nextCursor, opaqueId, paging, pathId, timestamp } from '../schema/fields.ts';
import { text } from '../schema/text.ts';

/** The most claims that a trust names. */
const CLAIMS_MAX = 5;
/** The claims that are numbers in every token (RFC 7519, section 4.1). */
const TIMES = ['exp', 'iat', 'nbf'];

const grantStatus = z.enum(['active', 'expired', 'revoked', 'stopped']);
export type GrantStatus = z.output<typeof grantStatus>;

/** Why a grant stopped for good. */
const stoppedReason = z.enum(['member_removed', 'role_changed', 'app_disconnected']);
export type StoppedReason = z.output<typeof stoppedReason>;

const cadenceOf = (invocations: z.ZodInt) =>
  z.strictObject({
    invocations: field(invocations, 'Runs in the period: distinct x-routine-invocation-id.', 1),
    periodSeconds: field(
      z
        .int()
        .min(1)
        .max(366 * 86_400),
      'The length of the period, which slides, in seconds.',
      86_400,
    ),
  });

/** The most distinct runs of a routine grant in any period of this length. A grant from before the limit may have more. */
export const maximumCadence = cadenceOf(z.int().min(1));
const requestedCadence = cadenceOf(z.int().min(1).max(CADENCE_RUNS_MAX));
export type MaximumCadence = z.output<typeof maximumCadence>;

const common = {
  id: z.string(),
  name: z.string().nullable(),
  workspaceId: z.string(),
  userId: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: field(timestamp.nullable(), 'To the minute.'),
  secretHint: field(z.string().nullable(), 'The last 4 characters of the secret; null without one.'),
  status: grantStatus,
  stoppedReason: stoppedReason.optional(),
};

const trusted = text({ min: 1, max: 500 }).regex(/^[^*]*$/, 'must have no *: it is compared as it is');

/** A workload whose tokens stand in the place of a secret: its calls are those of the grant. */
const trust = z.strictObject({
  issuer: field(
    trusted,
    'The issuer (iss): one of WORKLOAD_ISSUERS.',
    'https://token.actions.githubusercontent.com',
  ),
  subject: field(trusted, 'The subject (sub).', 'repo:acme/reports:ref:refs/heads/main'),
  claims: field(
    z
      .record(text({ min: 1, max: 100 }), trusted)
      .refine((claims) => Object.keys(claims).length <= CLAIMS_MAX, `must have at most ${CLAIMS_MAX} claims`)
      .refine(
        (claims) => !TIMES.some((name) => name in claims),
        'must not name exp, iat or nbf: they are no texts',
      )
      .meta({ maxProperties: CLAIMS_MAX })
      .optional(),
    'Further claims that the token must have, each a text.',
    { repository_id: '123456' },
  ),
});
export type Trust = z.output<typeof trust>;

const operationGrant = z.strictObject({
  ...common,
  kind: z.literal('operation'),
  operationScope: z.string(),
  trust: trust.optional(),
});

const routineGrant = z.strictObject({
  ...common,
  kind: z.literal('routine'),
  operations: z.array(z.string()),
  data: grantData,
  outputDefinition: z.string().nullable(),
  maximumCadence,
  trust: trust.optional(),
});

/** A program that signs in for a Member, as it describes itself. */
export const agentClient = z.strictObject({
  id: field(z.string(), 'Its client_id: an address of its own, or the one of its registration.'),
  name: field(z.string(), 'The name that it gives itself: nobody vouches for it.'),
  uri: field(z.string().optional(), 'The address of its own page, as it says.'),
});
export type AgentClient = z.output<typeof agentClient>;

export const agentGrant = z.strictObject({
  ...common,
  kind: z.literal('agent'),
  operations: z.array(z.string()),
  data: grantData,
  client: agentClient,
});

/** A grant as its Member and the Owners see it, without its secret. */
export const grant = z.discriminatedUnion('kind', [operationGrant, routineGrant, agentGrant]);
export type Grant = z.output<typeof grant>;

/** An example of `expiresAt` that stays in the future: the end of this year. */
export const exampleExpiry = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`;

const expiresAt = field(
  dateTime,
  'When the grant ends: an RFC 3339 date-time in the future, at most 366 days ahead.',
  exampleExpiry,
);
export const grantName = field(
  text({ min: 1, max: 100 }),
  'The display name of the grant.',
  'Nightly import',
);
const idempotencyKey = field(
  key.optional(),
  'Names this create, so that it can be repeated safely. While no secret of the grant was used, the repetition returns it with a fresh secret, and the earlier one stops. Once one was used, it returns the grant without a secret and changes nothing.',
  'nightly-import-2026',
);

const trustInPlace = field(
  trust.optional(),
  'A workload whose tokens the grant trusts in the place of a secret: it gets access tokens at /oauth/token.',
  {
    issuer: 'https://token.actions.githubusercontent.com',
    subject: 'repo:acme/reports:ref:refs/heads/main',
  },
);

/** The operations of a grant in a request. */
export const grantedOperations = field(
  z.array(opaqueId).min(1).max(100),
  'Operation ids from GET /api/v1/operations.',
  ['record_store.push_record'],
);
/** The data scope of a grant in a request. */
export const scopeOfData = field(
  grantData.default({}),
  'The data it reaches; what is not listed is refused. Each operation that reaches data needs a list of its kind.',
  { collectionIds: [exampleId('collection')] },
);

/** The signed-in user on the routes that manage grants, from the verified session token. */
export const sessionClaims = z.object({
  workspaceId: z.string(),
  userId: z.string(),
  /** Whether the user has just signed in at the console. */
  isFresh: z.literal(true).optional(),
});
export type SessionClaims = z.output<typeof sessionClaims>;

const operationGrantRequest = z.strictObject({
  operationScope: field(opaqueId, 'An operation id from GET /api/v1/operations.', 'record_store.push_record'),
  expiresAt,
  name: grantName.optional(),
  trust: trustInPlace,
  idempotencyKey,
});
export type OperationGrantRequest = z.output<typeof operationGrantRequest>;

const routineGrantRequest = z.strictObject({
  name: grantName,
  operations: grantedOperations,
  data: scopeOfData,
  outputDefinition: field(
    text({ min: 1, max: OUTPUT_DEFINITION_MAX_LENGTH }).optional(),
    'The Procedure or output definition that its e-mails are for; required with mail.send_email.',
    'weekly-report',
  ),
  maximumCadence: field(requestedCadence, 'How often the job may run.', {
    invocations: 1,
    periodSeconds: 86_400,
  }),
  expiresAt,
  trust: trustInPlace,
  idempotencyKey,
});
export type RoutineGrantRequest = z.output<typeof routineGrantRequest>;

/** The answer of a create, and of its repetition with the idempotency key. */
export const createdGrant = z.strictObject({
  grant,
  secret: field(
    z.string().optional(),
    'Shown here and nowhere else. Left out of a repetition once the secret was used, and with `trust`.',
  ),
});
export const grantPage = z.strictObject({ grants: z.array(grant), nextCursor });
export const revokedGrant = z.strictObject({ grant });

const exampleUser = {
  workspaceId: 'ws_0198f2cf7a3c7d61a2f04be35c9d18e7',
  userId: 'mika',
  createdAt: '2026-05-01T09:30:00.000Z',
  expiresAt: new Date(exampleExpiry).toISOString(),
  lastUsedAt: null,
  status: 'active',
};

export const exampleAgentGrant = {
  id: exampleId('agentGrant'),
  kind: 'agent',
  name: null,
  operations: ['record_store.get_record'],
  data: { collectionIds: [exampleId('collection')] },
  client: { id: 'https://agent.example.com/client.json', name: 'Example Agent' },
  ...exampleUser,
  secretHint: null,
};

/** The routes that manage grants of each kind. A Member makes the grant of an agent by consent (`agentRoutes`). */
export const grantRoutes = {
  operation: createdRoutes('operation', operationGrantRequest, {
    named: 'an operation grant',
    purpose: 'It allows exactly one operation until it expires.',
    example: { name: 'Import', idempotencyKey: 'import-2026' },
  }),
  routine: createdRoutes('routine', routineGrantRequest, {
    named: 'a routine grant',
    purpose:
      'It allows a set of operations and data for a recurring job, with a maximum cadence and an expiry.',
    example: { data: { collectionIds: [exampleId('collection')] } },
  }),
  agent: managementRoutes('agent', 'the grant of an agent', exampleAgentGrant),
};

/** The routes of a kind of grants that are created with a secret. */
function createdRoutes<Request extends z.ZodObject>(
  kind: 'operation' | 'routine',
  request: Request,
  {
    named,
    purpose,
    example,
  }: Readonly<Record<'named' | 'purpose', string>> & { readonly example: Readonly<Record<string, unknown>> },
) {
  const { idempotencyKey: _, ...requested } = exampleOf(request, example);
  const grant = {
    id: exampleId(`${kind}Grant`),
    kind,
    ...requested,
    ...(kind === 'routine' && { outputDefinition: null }),
    ...exampleUser,
    secretHint: 'x7Qa',
  };
  const secret = `${grantSecretPrefixes[kind]}${'0'.repeat(45)}x7Qa`;
  return {
    ...managementRoutes(kind, named, grant),
    create: defineMemberRoute({
      path: `/api/v1/${kind}-grants`,
      id: `grants.create_${kind}_grant`,
      method: 'post',
      title: `Create ${named}`,
      description: `Creates a secret that acts as the Member who is signed in. ${purpose}`,
      input: request,
      example,
      output: createdGrant,
      answer: {
        status: 201,
        description:
          'The grant, and its secret: this answer is the only place where it appears. A repetition with the idempotencyKey of a grant whose secret was used has no secret.',
        example: { grant, secret },
      },
      errors: ['grant_idempotency_conflict'],
      targets: (_input, result) => [result?.grant.id],
    }),
  };
}

/** The routes with which Members list and revoke the grants of a kind. */
function managementRoutes(kind: GrantKind, named: string, grant: Readonly<Record<string, unknown>>) {
  const path = `/api/v1/${kind}-grants` as const;
  return {
    list: defineMemberRoute({
      path,
      id: `grants.list_${kind}_grants`,
      method: 'get',
      title: `List ${kind} grants`,
      description:
        "Newest first: a Member's own, or for an Owner those of the Workspace. Follow nextCursor until it is null.",
      input: z.strictObject({
        status: field(grantStatus.optional(), 'Only those with this status.', 'active'),
        ...paging,
      }),
      output: grantPage,
      answer: { description: 'A page of grants.', example: { grants: [grant], nextCursor: null } },
    }),
    revoke: defineMemberRoute({
      id: `grants.revoke_${kind}_grant`,
      method: 'delete',
      path: `${path}/{id}`,
      title: `Revoke ${named}`,
      description: 'The next call with the grant fails. Safe to repeat.',
      input: z.strictObject({ id: pathId('The id of a grant.', `${kind}Grant`) }),
      output: revokedGrant,
      answer: { description: 'The grant, revoked.', example: { grant: { ...grant, status: 'revoked' } } },
      errors: ['grant_not_found'],
    }),
  };
}
