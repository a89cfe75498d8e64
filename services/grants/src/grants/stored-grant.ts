import type { GrantData, MaximumCadence } from '@action-platform/contracts';
import type { Collection, Db } from 'mongodb';
import type { Connections } from '../members/stored-member.ts';

/** What a grant allows, by its kind. It never changes. */
export type GrantTerms =
  | { readonly kind: 'operation'; readonly name: string | null }
  | {
      readonly kind: 'routine';
      readonly name: string | null;
      readonly data: GrantData;
      readonly output_definition: string | null;
      readonly maximum_cadence: MaximumCadence;
    };

/**
 * A grant. Its status is not stored but derived (`grantState`). Each of the fields that change has an update of its own:
 * the secret with its hint, `last_used_at`, `revoked_at`.
 */
export type StoredGrant = GrantTerms & {
  /** `ogr_…` or `rgr_…`, later ones sorting after earlier ones. */
  readonly _id: string;
  /** SHA-256 of the secret, base64url; the secret itself is nowhere. */
  readonly secret_hash: string;
  /** The last 4 characters of the secret. */
  readonly secret_hint: string;
  readonly workspace_id: string;
  readonly user_id: string;
  /** The authority epoch of the Member that the grant was created in; another one has stopped it for good. */
  readonly member_epoch: number;
  /** The connections, of the apps its operations need, that the grant is bound to; losing one stops it for good. */
  readonly connection_ids: Connections;
  /** The ids of the operations it allows; an operation grant has one. */
  readonly operations: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  /** At most a minute before the last use. */
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
  /** Names the create, when its caller did. */
  readonly idempotency_key?: string;
  /** The fingerprint of what was asked for with that key. */
  readonly request_hash?: string;
};

/** How long a grant is kept after it ended, in seconds: as long as the history of refused e-mails. */
const KEPT_AFTER_END_S = 90 * 86_400;

/**
 * The grants, with an index for every query there is. The database deletes a grant 90 days after it was revoked or has
 * expired, whichever came first (TTL).
 *
 * Sharding, which is not built. Everything a Member does with grants names the Workspace, so `workspace_id` would lead the
 * shard key as everywhere. A call made with a grant names the hash of its secret and nothing else. An index of `secret`
 * cannot begin with `workspace_id`, so the look-up would ask every shard. And MongoDB cannot keep an index unique across
 * shards that does not begin with the shard key. The choice for that day: a collection of
 * `{_id: secret_hash, workspace_id, grant_id}` sharded by its hashed `_id`, and written before the grant carries the secret.
 * It is never believed by itself: the grant it leads to must have that very hash. It costs such calls one more read, on
 * one shard. The other way, the Workspace written into the secret, would need new secrets for every job there is.
 */
export async function openGrants(db: Db): Promise<Collection<StoredGrant>> {
  const grants = db.collection<StoredGrant>('grants');
  await grants.createIndexes([
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
  ]);
  return grants;
}
