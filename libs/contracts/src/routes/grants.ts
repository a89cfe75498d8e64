import { z } from 'zod';
import { grantSecretPrefixes } from '../authority/grant-secret.ts';
import type { GrantKind } from '../authority/principal.ts';
import {
  createdGrant,
  exampleExpiry,
  grantCalls,
  grantListQuery,
  grantPage,
  revokedGrant,
} from '../calls/grants.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { bodyErrors, credentialErrors, platformFailures } from '../errors/groups.ts';
import { idPrefixes } from '../ids.ts';
import { exampleIds } from '../operations/record-store/examples.ts';
import { idempotencyKeyHeader } from '../schema/idempotency-key.ts';
import type { Route } from './route.ts';

const common = { tag: 'grants', caller: 'member' } as const;

const errors: readonly ErrorCode[] = [
  ...credentialErrors,
  'workspace_membership_required',
  'member_session_required',
];

const nightly = {
  operations: ['record_store.push_record'],
  data: { collectionIds: [exampleIds.collection] },
  maximumCadence: { invocations: 1, periodSeconds: 86_400 },
};

/** The routes that manage grants of each kind; only a signed-in Member may use them. */
export const grantRoutes = {
  operation: managementRoutes('operation', 'OperationGrant', {
    purpose: 'It allows exactly one operation until it expires.',
    example: {
      operationScope: 'record_store.push_record',
      expiresAt: exampleExpiry,
      name: 'Import',
      idempotencyKey: 'import-2026',
    },
    granted: { operationScope: 'record_store.push_record' },
  }),
  routine: managementRoutes('routine', 'RoutineGrant', {
    purpose:
      'It allows a set of operations and data for a recurring job, with a maximum cadence and an expiry.',
    example: {
      name: 'Nightly import',
      ...nightly,
      expiresAt: exampleExpiry,
      idempotencyKey: 'nightly-import-2026',
    },
    granted: { ...nightly, outputDefinition: null },
  }),
};

/** The differences between the kinds: the purpose of a grant, the body of a create, and the resulting fields of the grant. */
interface Described {
  readonly purpose: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly granted: Readonly<Record<string, unknown>>;
}

function managementRoutes(kind: GrantKind, name: string, { purpose, example, granted }: Described) {
  const path = `/api/v1/${kind}-grants` as const;
  const grant = {
    id: `${idPrefixes[`${kind}Grant`]}_0198f2d0c4b17a3e9d51c2aa40e7b6f3`,
    kind,
    name: example.name,
    ...granted,
    workspaceId: 'ws_0198f2cf7a3c7d61a2f04be35c9d18e7',
    userId: 'mika',
    createdAt: '2026-05-01T09:30:00.000Z',
    expiresAt: new Date(exampleExpiry).toISOString(),
    lastUsedAt: null,
    secretHint: 'x7Qa',
    status: 'active',
  };
  const secret = `${grantSecretPrefixes[kind]}${'0'.repeat(45)}x7Qa`;
  return {
    list: {
      ...common,
      method: 'get',
      path,
      operationId: `list${name}s`,
      title: `List ${kind} grants`,
      description:
        "Newest first: a Member's own, or for an Owner those of the Workspace. Follow nextCursor until it is null.",
      parameters: { query: grantListQuery },
      answers: [
        {
          status: 200,
          description: 'A page of grants.',
          body: grantPage,
          example: { grants: [grant], nextCursor: null },
        },
      ],
      errors: ['invalid_request', ...errors, ...platformFailures.read],
    },
    create: {
      ...common,
      method: 'post',
      path,
      operationId: `create${name}`,
      title: `Create ${kind === 'operation' ? 'an operation' : 'a routine'} grant`,
      description: `Creates a secret that acts as the Member who is signed in. ${purpose}`,
      parameters: { header: z.strictObject(idempotencyKeyHeader(grantCalls[kind].create.input)) },
      requestBody: { schema: grantCalls[kind].create.input, example },
      answers: [
        {
          status: 201,
          description:
            'The grant, and its secret: this answer is the only place where it appears. A repetition with the idempotencyKey of a grant whose secret was used has no secret.',
          body: createdGrant,
          example: { grant, secret },
        },
      ],
      errors: [...bodyErrors, 'grant_idempotency_conflict', ...errors, ...platformFailures.write],
    },
    revoke: {
      ...common,
      method: 'delete',
      path: `${path}/{id}`,
      operationId: `revoke${name}`,
      title: `Revoke ${kind === 'operation' ? 'an operation' : 'a routine'} grant`,
      description: 'The next call with the grant fails. Safe to repeat.',
      parameters: {
        path: z.strictObject({
          id: z.string().meta({
            description: 'The id of a grant.',
            examples: [grant.id],
          }),
        }),
      },
      answers: [
        {
          status: 200,
          description: 'The grant, revoked.',
          body: revokedGrant,
          example: { grant: { ...grant, status: 'revoked' } },
        },
      ],
      errors: ['invalid_request', ...errors, 'grant_not_found', 'route_not_found', ...platformFailures.write],
    },
  } as const satisfies Record<string, Route>;
}
