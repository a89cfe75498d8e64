import { byMember, byWorkspace, type StoredDocuments } from '@action-platform/mongo';

/** The fields of every token. The grant is its family: each consent makes one. */
interface Common {
  /** SHA-256 of the token, base64url; the token itself is not stored. */
  readonly _id: string;
  readonly grant_id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly expires_at: Date;
}

/** A token of a grant: a code and a refresh token have the time of their first use. */
export type StoredToken = Common &
  (
    | { readonly kind: 'access' }
    | { readonly kind: 'refresh'; readonly used_at: Date | null }
    | {
        readonly kind: 'code';
        readonly used_at: Date | null;
        readonly redirect_uri: string;
        readonly challenge: string;
      }
  );

/** How long a token is stored after it ended, in seconds, so that its caller learns that it has expired, and a code used twice is noticed. */
const KEPT_AFTER_END_S = 86_400;

/** The tokens of grants, found by their `_id`; an export has none of them. */
export const storedTokens: StoredDocuments<StoredToken> = {
  collection: 'grant_tokens',
  shardKey: { unsharded: 'a token is found with its grant' },
  indexes: [
    { name: 'member', key: { workspace_id: 1, user_id: 1 } },
    { name: 'grant', key: { grant_id: 1, kind: 1, expires_at: 1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: KEPT_AFTER_END_S },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
};
