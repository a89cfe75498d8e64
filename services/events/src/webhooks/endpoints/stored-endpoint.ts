import { followCommits, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import type { ChangeEventType } from '@action-platform/contracts/change-events';
import type { WebhookEndpoint } from '@action-platform/contracts/resources';
import { byWorkspace, type StoredDocuments, type StoredLease } from '@action-platform/mongo';
import type { SealedSecret } from '@action-platform/sealing';
import type { MessageForm } from '../sending/forms.ts';

/** A secret that signs. */
export interface StoredSecret {
  readonly sealed: SealedSecret;
  readonly created_at: Date;
  /** When the secret signs no longer; null for the newest one. */
  readonly ends_at: Date | null;
}

/** A change of an endpoint that is an event. */
export interface EndpointCommit extends Partial<Origin> {
  readonly type: `webhook_endpoint.${'created' | 'changed' | 'deleted' | 'failing'}`;
  readonly at: Date;
  readonly secret_rotated?: true;
}

/** An endpoint of a Workspace. */
export interface StoredEndpoint {
  /** `whe_…`, in the order of creation. */
  readonly _id: string;
  readonly workspace_id: string;
  /** The endpoint's number among those of the Workspace: a unique index makes the limit exact. Null once it is deleted. */
  readonly slot: number | null;
  /** Of a form for people the origin alone. */
  readonly url: string;
  /** Absent for events. */
  readonly form?: MessageForm;
  /** Null for all. */
  readonly types: readonly ChangeEventType[] | null;
  readonly collection_ids: readonly string[] | null;
  readonly description: string | null;
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: 'by_owner' | 'gone' | null;
  readonly created_at: Date;
  readonly created_by: string;
  /** Newest first. Of a form for people its URL, which nothing signs: whoever has it may post. */
  readonly secrets: readonly StoredSecret[];
  /** Whether its secret is known to have reached its Owner: a delivery succeeded, or it was rotated. */
  readonly is_secret_used: boolean;
  /** The time of the first failed attempt since the last success; null without one. */
  readonly failing_since: Date | null;
  /**
   * The order from which on its events are not in the queue yet, because too many wait: the fan-out adds
   * them a page at a time, from `look_at` on; null when all are. `version` grows with each cause, so that the end of one does not hide the next. `failures`
   * counts the looks in a row that failed.
   */
  readonly behind: {
    readonly from: string;
    readonly look_at: Date;
    readonly version: number;
    readonly failures?: number;
  } | null;
  /** The first attempt of a process at it: see `first-attempts.ts`. */
  readonly lease?: StoredLease;
  /** How many test events were sent. */
  readonly tests?: number;
  /** Counts the changes. */
  readonly revision: number;
  /** The last changes, by their revision. */
  readonly commits: Readonly<Record<string, EndpointCommit>>;
  /** The idempotency key of the create, if it had one. */
  readonly idempotency_key: string | null;
  /** SHA-256 of the request that made the endpoint. */
  readonly request_hash: string;
  /** When the database deletes what is left of a deleted one (TTL index): its last event must have been published. */
  readonly expires_at?: Date;
}

/** An endpoint by its Workspace and id. */
export type EndpointId = Pick<StoredEndpoint, '_id' | 'workspace_id'>;

/** Matches the endpoints that are not deleted. */
export const notDeleted = { slot: { $gte: 0 } } as const;

/** The endpoints, with an index for each query. Endpoints belong to the Workspace, and stay when their creator is erased. */
export const storedEndpoints: StoredDocuments<StoredEndpoint> = {
  collection: 'webhook_endpoints',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'workspace', key: { workspace_id: 1, _id: -1 } },
    {
      name: 'taken_slot',
      key: { workspace_id: 1, slot: 1 },
      unique: true,
      partialFilterExpression: notDeleted,
    },
    {
      name: 'idempotency_key',
      key: { workspace_id: 1, idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { idempotency_key: { $gte: '' } },
    },
    { name: 'status_in_workspace', key: { workspace_id: 1, status: 1 } },
    { name: 'behind', key: { 'behind.look_at': 1 }, sparse: true },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  formerIndexes: ['idempotency'],
  ofWorkspace: byWorkspace,
  exported: { type: 'webhook_endpoint', order: { _id: -1 }, filter: notDeleted, data: describeEndpoint },
};

/** The changes of endpoints. */
export const endpointChanges = followCommits(
  storedEndpoints,
  ['workspace_id'],
  ({ _id, workspace_id: workspaceId }, { type, secret_rotated, ...origin }) => ({
    workspaceId,
    type,
    subject: _id,
    data: { endpoint_id: _id, ...(secret_rotated && { secret_rotated }), ...madeBy(origin) },
  }),
);

/** The public form of an endpoint. */
export function describeEndpoint(endpoint: StoredEndpoint): WebhookEndpoint {
  const { disabled_reason, failing_since, secrets } = endpoint;
  return {
    id: endpoint._id,
    workspaceId: endpoint.workspace_id,
    url: endpoint.url,
    form: endpoint.form ?? 'event',
    types: endpoint.types === null ? null : [...endpoint.types],
    collectionIds: endpoint.collection_ids === null ? null : [...endpoint.collection_ids],
    description: endpoint.description,
    status: endpoint.status,
    ...(disabled_reason !== null && { disabledReason: disabled_reason }),
    createdAt: endpoint.created_at.toISOString(),
    createdBy: endpoint.created_by,
    secretChangedAt: secrets[0]!.created_at.toISOString(),
    failingSince: failing_since === null ? null : failing_since.toISOString(),
  };
}
