import { byMember, byWorkspace, type StoredDocuments } from '@action-platform/mongo';
import type { SealedSecret } from '@action-platform/sealing';

/** The sign-in of a Member that has begun, the latest one. */
export interface StoredAuthorization {
  readonly workspace_id: string;
  readonly user_id: string;
  /** `aut_…` */
  readonly id: string;
  /** The secrets that complete it: the verifier (RFC 7636), the state, and the address that the Member named. */
  readonly sealed: SealedSecret;
  /** When the sign-in counts no more, and the database deletes it (TTL index). */
  readonly expires_at: Date;
}

/** The sign-ins under way, at most one of each Member. No export has them, because they are for signing in. */
export const storedAuthorizations: StoredDocuments<StoredAuthorization> = {
  collection: 'authorizations',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'member', key: { workspace_id: 1, user_id: 1 }, unique: true },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
};
