import { follow, madeBy } from '@action-platform/change-events';
import type { GrantData } from '@action-platform/contracts/authority';
import type { Origin } from '@action-platform/contracts/calls';
import type { AgentClient, MaximumCadence, Trust } from '@action-platform/contracts/resources';
import { byMember, byWorkspace, type StoredDocuments } from '@action-platform/mongo';
import type { Connections } from '../members/stored-member.ts';

/** The terms of a grant, by its kind. The terms never change. */
export type GrantTerms =
  | {
      readonly kind: 'operation';
      readonly name: string | null;
      readonly trust?: Trust | undefined;
    }
  | {
      readonly kind: 'routine';
      readonly name: string | null;
      readonly data: GrantData;
      readonly output_definition: string | null;
      readonly maximum_cadence: MaximumCadence;
      readonly trust?: Trust | undefined;
    }
  | {
      readonly kind: 'agent';
      readonly name: string | null;
      readonly data: GrantData;
      readonly client: AgentClient;
    };

/**
 * A grant. Its status is derived (`grantState`), not stored. Only the secret with its hint, `last_used_at`, and `revoked_at` with its
 * origin change, each by an update of its own.
 */
export type StoredGrant = GrantTerms & {
  /** `ogr_…`, `rgr_…` or `agr_…`, in the order of creation. */
  readonly _id: string;
  /** SHA-256 of the secret, base64url; the secret itself is not stored. Of a grant without one, that of a secret that nobody has. */
  readonly secret_hash: string;
  /** The last 4 characters of the secret; null without one. */
  readonly secret_hint: string | null;
  readonly workspace_id: string;
  readonly user_id: string;
  /** The Member's authority epoch at its creation; the end of that epoch stops it permanently. */
  readonly member_epoch: number;
  /** The connections of the apps that its operations need; the loss of one stops it permanently. */
  readonly connection_ids: Connections;
  /** The ids of the operations it allows; an operation grant has one. */
  readonly operations: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  /** Null until the first use; later at most a minute before the last use. */
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
  /** The idempotency key of the create, if it had one. */
  readonly idempotency_key?: string;
  /** SHA-256 of the request that made the grant with that key. */
  readonly request_hash?: string;
  /** Where its creation came from. */
  readonly origin: Origin;
  /** Where its first revocation came from. */
  readonly revocation?: Origin;
};

/** The time for which a grant is stored after it ended, in seconds: as long as the history of denied e-mails. */
const KEPT_AFTER_END_S = 90 * 86_400;

/**
 * The grants, with an index for each query. The database deletes a grant 90 days after it was revoked or has expired,
 * whichever came first (TTL).
 *
 * The platform does not shard this collection. `workspace_id` would lead the shard key, as everywhere: all calls of Members
 * name the Workspace. A call with a grant names only the hash of its secret, so its look-up would query every shard, and
 * MongoDB enforces a unique index across shards only when it begins with the shard key. A sharded deployment needs a
 * collection of `{_id: secret_hash, workspace_id, grant_id}`, sharded by its hashed `_id` and written before the grant has
 * the secret; the grant that it names must still have that hash. Such calls then take one more read, on one shard. A
 * Workspace id within the secret would need new secrets for every job.
 *
 * An export has the terms of grants, and nothing of their secrets.
 */
export const storedGrants: StoredDocuments<StoredGrant> = {
  collection: 'grants',
  shardKey: { unsharded: 'a call with a grant names only the hash of its secret' },
  indexes: [
    { name: 'secret', key: { secret_hash: 1 }, unique: true },
    { name: 'workspace', key: { workspace_id: 1, kind: 1, _id: -1 } },
    { name: 'member', key: { workspace_id: 1, user_id: 1, kind: 1, _id: -1 } },
    { name: 'revoked_expiry', key: { revoked_at: 1 }, expireAfterSeconds: KEPT_AFTER_END_S },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: KEPT_AFTER_END_S },
    {
      name: 'idempotency',
      key: { workspace_id: 1, user_id: 1, kind: 1, idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
  // For the runs of a version that stored no Workspace in them.
  parts: { collection: 'runs', field: 'grant_id' },
  exported: {
    type: 'grant',
    order: { kind: 1, _id: -1 },
    data: (grant) => ({
      id: grant._id,
      kind: grant.kind,
      name: grant.name,
      user_id: grant.user_id,
      operations: grant.operations,
      ...exportedTerms(grant),
      created_at: grant.created_at,
      expires_at: grant.expires_at,
      last_used_at: grant.last_used_at,
      revoked_at: grant.revoked_at,
    }),
  },
};

/** The terms of a grant that an export has beside its operations, as they are stored. */
function exportedTerms(grant: StoredGrant): object {
  const names = ['data', 'output_definition', 'maximum_cadence', 'client', 'trust'];
  return Object.fromEntries(Object.entries(grant).filter(([name]) => names.includes(name)));
}

/** The changes of grants: their creation and their first revocation. */
export const grantChanges = follow(storedGrants, {
  fields: ['workspace_id', 'user_id', 'created_at', 'origin', 'revoked_at', 'revocation'],
  updates: true,
  changesOf: ({ _id, workspace_id: workspaceId, user_id, created_at, origin, revoked_at, revocation }) => {
    const of = { workspaceId, subject: _id } as const;
    const ids = { grant_id: _id, user_id };
    const created = {
      ...of,
      type: 'grant.created',
      time: created_at,
      data: { ...ids, ...madeBy(origin) },
    } as const;
    if (revoked_at === null || revocation === undefined) return [created];
    const data = { ...ids, ...madeBy(revocation) };
    return [created, { ...of, type: 'grant.revoked', time: revoked_at, data, field: 'revocation' }];
  },
});
