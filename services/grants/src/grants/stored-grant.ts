import type { GrantData, MaximumCadence } from '@action-platform/contracts';
import type { Member } from '../members/member.ts';

/** What is kept of every grant. Only `last_used_at` and `revoked_at` ever change, each in its own update. */
export interface GrantFields {
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
  readonly connection_ids: Member['connections'];
  readonly name: string | null;
  /** The ids of the operations it allows; an operation grant has one. */
  readonly operations: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** A grant that allows one operation. */
interface StoredOperationGrant extends GrantFields {
  readonly kind: 'operation';
}

/** A grant for a recurring job. */
export interface StoredRoutineGrant extends GrantFields {
  readonly kind: 'routine';
  readonly data: GrantData;
  readonly output_definition: string | null;
  readonly maximum_cadence: MaximumCadence;
}

export type StoredGrant = StoredOperationGrant | StoredRoutineGrant;
