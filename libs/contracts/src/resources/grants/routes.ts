import { z } from 'zod';
import { grantSecretPrefixes } from '../../authority/grant-secret.ts';
import type { GrantKind } from '../../authority/principal.ts';
import { defineMemberRoute } from '../../declaration/member-route.ts';
import { exampleId } from '../../ids.ts';
import { exampleIds } from '../../operations/record-store/examples.ts';
import { pathId } from '../../schema/fields.ts';
import {
  createdGrant,
  exampleExpiry,
  grantListQuery,
  grantPage,
  operationGrantRequest,
  revokedGrant,
  routineGrantRequest,
} from './shapes.ts';

const nightly = {
  operations: ['record_store.push_record'],
  data: { collectionIds: [exampleIds.collection] },
  maximumCadence: { invocations: 1, periodSeconds: 86_400 },
};

/** The routes that manage grants of each kind. */
export const grantRoutes = {
  operation: managementRoutes('operation', operationGrantRequest, {
    named: 'an operation grant',
    purpose: 'It allows exactly one operation until it expires.',
    example: {
      operationScope: 'record_store.push_record',
      expiresAt: exampleExpiry,
      name: 'Import',
      idempotencyKey: 'import-2026',
    },
    granted: { operationScope: 'record_store.push_record' },
  }),
  routine: managementRoutes('routine', routineGrantRequest, {
    named: 'a routine grant',
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
  readonly named: string;
  readonly purpose: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly granted: Readonly<Record<string, unknown>>;
}

function managementRoutes<Request extends z.ZodObject>(
  kind: GrantKind,
  request: Request,
  { named, purpose, example, granted }: Described,
) {
  const all = { service: 'grants', path: `/api/v1/${kind}-grants` } as const;
  const grant = {
    id: exampleId(`${kind}Grant`),
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
    list: defineMemberRoute({
      ...all,
      id: `grants.list_${kind}_grants`,
      method: 'get',
      title: `List ${kind} grants`,
      description:
        "Newest first: a Member's own, or for an Owner those of the Workspace. Follow nextCursor until it is null.",
      input: grantListQuery,
      output: grantPage,
      answer: { description: 'A page of grants.', example: { grants: [grant], nextCursor: null } },
    }),
    create: defineMemberRoute({
      ...all,
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
    revoke: defineMemberRoute({
      ...all,
      id: `grants.revoke_${kind}_grant`,
      method: 'delete',
      path: `${all.path}/{id}`,
      title: `Revoke ${named}`,
      description: 'The next call with the grant fails. Safe to repeat.',
      input: z.strictObject({ id: pathId('The id of a grant.', `${kind}Grant`) }),
      output: revokedGrant,
      answer: { description: 'The grant, revoked.', example: { grant: { ...grant, status: 'revoked' } } },
      errors: ['grant_not_found'],
    }),
  };
}
