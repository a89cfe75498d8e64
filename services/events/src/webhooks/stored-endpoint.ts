import type { WebhookEndpoint } from '@action-platform/contracts';
import { byWorkspace, openStored, type StoredDocuments } from '@action-platform/mongo';
import type { SealedSecret } from '@action-platform/sealed-secrets';
import type { Collection, Db } from 'mongodb';

/** The place of the next event in the stream of events. */
export interface Position {
  /** When the stream was created: a stream that was created anew counts from 1 again. */
  readonly stream: Date;
  readonly sequence: number;
  /** The index of the event in its message. */
  readonly index: number;
}

/** A secret that signs. */
export interface StoredSecret {
  readonly sealed: SealedSecret;
  readonly created_at: Date;
  /** When it signs no longer; null for the newest one. */
  readonly ends_at: Date | null;
}

/** An endpoint of a Workspace. */
export interface StoredEndpoint {
  /** `whe_…`, in the order of creation. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly url: string;
  /** Null for all. */
  readonly types: readonly string[] | null;
  readonly description: string | null;
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason?: 'by_owner' | 'gone';
  readonly created_at: Date;
  readonly created_by: string;
  /** Newest first. */
  readonly secrets: readonly StoredSecret[];
  /** Whether its secret is known to have reached its Owner: a delivery succeeded, or it was rotated. */
  readonly is_secret_used: boolean;
  /** The time of the first failed attempt since the last success; null without one. */
  readonly failing_since: Date | null;
  /** Every event before it was delivered, waits among the deliveries, or is dead. */
  readonly position: Position;
  /** Counts the changes by Owners; a worker of an earlier one starts again. */
  readonly revision: number;
  /** The replica that delivers, while it has a lease; null when none does. */
  readonly owner: string | null;
  /** The idempotency key of the create, if it had one. */
  readonly idempotency_key?: string;
  /** SHA-256 of the request that made the endpoint with that key. */
  readonly request_hash?: string;
}

/** The endpoints stay when the Owner who created one is erased: they belong to the Workspace. */
export const storedEndpoints: StoredDocuments<StoredEndpoint> = {
  collection: 'webhook_endpoints',
  shardKey: 'workspace_id',
  ofWorkspace: byWorkspace,
  exported: { type: 'webhook_endpoint', order: { _id: -1 }, data: describeEndpoint },
};

/** The endpoints, with an index for each query. The query of replicas that look for work concerns all Workspaces. */
export async function openEndpoints(db: Db): Promise<Collection<StoredEndpoint>> {
  const endpoints = openStored(db, storedEndpoints);
  await endpoints.createIndexes([
    { name: 'workspace', key: { workspace_id: 1, _id: -1 } },
    {
      name: 'idempotency',
      key: { workspace_id: 1, idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
    { name: 'owner', key: { status: 1, owner: 1 } },
  ]);
  return endpoints;
}

/** The public form of an endpoint. */
export function describeEndpoint(endpoint: StoredEndpoint): WebhookEndpoint {
  const { disabled_reason, failing_since, secrets } = endpoint;
  return {
    id: endpoint._id,
    workspaceId: endpoint.workspace_id,
    url: endpoint.url,
    types: endpoint.types === null ? null : [...endpoint.types],
    description: endpoint.description,
    status: endpoint.status,
    ...(disabled_reason !== undefined && { disabledReason: disabled_reason }),
    createdAt: endpoint.created_at.toISOString(),
    createdBy: endpoint.created_by,
    secretChangedAt: secrets[0]!.created_at.toISOString(),
    failingSince: failing_since === null ? null : failing_since.toISOString(),
  };
}
