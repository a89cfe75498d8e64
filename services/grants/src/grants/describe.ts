import type { Grant } from '@action-platform/contracts';
import type { GrantState } from './status.ts';
import type { StoredGrant } from './stored-grant.ts';

/** A grant as its Member and the Owners see it. */
export function describeGrant(grant: StoredGrant, state: GrantState): Grant {
  const common = {
    id: grant._id,
    name: grant.name,
    workspaceId: grant.workspace_id,
    userId: grant.user_id,
    createdAt: grant.created_at.toISOString(),
    expiresAt: grant.expires_at.toISOString(),
    lastUsedAt: grant.last_used_at?.toISOString() ?? null,
    secretHint: grant.secret_hint,
    ...state,
  };
  if (grant.kind === 'operation')
    return { ...common, kind: grant.kind, operationScope: grant.operations[0]! };
  return {
    ...common,
    kind: grant.kind,
    operations: [...grant.operations],
    data: grant.data,
    outputDefinition: grant.output_definition,
    maximumCadence: grant.maximum_cadence,
  };
}
