import { followCommits, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import type { Connector, ConnectorAuth } from '@action-platform/contracts/operations';
import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';
import type { SealedSecret } from '@action-platform/sealing';

type WithoutSecret<Auth> = Auth extends unknown ? Omit<Auth, 'secret'> : never;
/** How requests authenticate, apart from the secret. */
export type StoredAuth = WithoutSecret<ConnectorAuth>;

/** An event that a call finds: the API refuses the credential, or has changed a tool. */
export type ToldEvent = 'failing' | 'tool_changed';

interface Commit extends Partial<Origin> {
  readonly type: 'changed' | 'removed' | ToldEvent;
  readonly at: Date;
}

/** A connector of a Workspace. A removed connector stays, because its name keeps its address. */
export interface StoredConnector {
  /** `cnr_…` */
  readonly _id: string;
  readonly workspace_id: string;
  /** Its own among as many as a Workspace may have: a unique index makes the limit exact. */
  readonly slot: number;
  readonly name: string;
  readonly status: Connector['status'];
  readonly kind: Connector['kind'];
  readonly base_url: string;
  readonly auth: StoredAuth;
  /** Absent without one, and of a removed connector. */
  readonly secret?: SealedSecret;
  readonly secret_hint: string | null;
  readonly idempotency_header: string | null;
  /** As pairs: the database takes no field names such as `X.Y`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly created_at: Date;
  readonly created_by: string;
  readonly updated_at: Date;
  readonly updated_by: string;
  /** When a refusal of its credential, and a changed tool, was last an event; absent since it was changed. */
  readonly failing_at?: Date;
  readonly tool_changed_at?: Date;
  /** The number of the last change, from 1, and the last changes by it. */
  readonly change: number;
  readonly commits: Readonly<Record<string, Commit>>;
}

/** The connectors, with an index for each query. */
export const storedConnectors: StoredDocuments<StoredConnector> = {
  collection: 'connectors',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'name', key: { workspace_id: 1, name: 1 }, unique: true },
    { name: 'slot', key: { workspace_id: 1, slot: 1 }, unique: true },
  ],
  ofWorkspace: byWorkspace,
  exported: { type: 'connector', order: { slot: 1 }, data: describeConnector },
};

/** The changes of connectors. */
export const connectorChanges = followCommits(
  storedConnectors,
  ['workspace_id'],
  ({ _id, workspace_id: workspaceId }, { type, ...origin }) => ({
    workspaceId,
    type: `connector.${type}`,
    subject: _id,
    data: { connector_id: _id, ...madeBy(origin) },
  }),
);

/** A connector as Owners see it. */
export function describeConnector(stored: StoredConnector): Connector {
  const { idempotency_header, headers } = stored;
  return {
    id: stored._id,
    name: stored.name,
    status: stored.status,
    kind: stored.kind,
    baseUrl: stored.base_url,
    auth: stored.auth,
    secretHint: stored.secret_hint,
    ...(idempotency_header !== null && { idempotencyHeader: idempotency_header }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    createdAt: stored.created_at.toISOString(),
    createdBy: stored.created_by,
    updatedAt: stored.updated_at.toISOString(),
    updatedBy: stored.updated_by,
  };
}
