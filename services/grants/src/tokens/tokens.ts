import { hashGrantSecret, newGrantSecret } from '@action-platform/contracts/authority';
import type { Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { Limits } from '@action-platform/contracts/limits';
import { AGENT_GRANT_DAYS } from '@action-platform/contracts/resources';
import { batchedLookup, hasRoom, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { AsOf } from '../grants/database-time.ts';
import { type StoredGrant, storedGrants } from '../grants/stored-grant.ts';
import type { StoredToken } from './stored-token.ts';

/** The lifetimes of a code and an access token, in seconds. */
const CODE_S = 60;
const ACCESS_S = 600;

/**
 * How long the platform remembers a used refresh token, in milliseconds: a second holder who shows the token ends the grant (RFC 9700,
 * section 4.14.2), and an agent that rests shows its token days after a thief did. By default this is the life of a grant; a grant of a year
 * would have 50,000 used tokens.
 */
const USED_KEPT_MS = AGENT_GRANT_DAYS * 86_400_000;

export type TokenLimits = Pick<Limits, 'GRANT_ACCESS_TOKENS_MAX'>;

/** A grant with a token of it, as both were read together. */
export type GrantOfToken = AsOf<StoredGrant> & { readonly token: StoredToken };

/** The tokens of all grants. */
export class Tokens {
  readonly #tokens: Collection<StoredToken>;
  readonly #most: TokenLimits['GRANT_ACCESS_TOKENS_MAX'];

  /** The grant of the token with this hash, of any kind and status. */
  readonly find: (hash: string, timed: Timed) => Promise<GrantOfToken | undefined>;

  constructor(tokens: Collection<StoredToken>, { GRANT_ACCESS_TOKENS_MAX }: TokenLimits) {
    this.#tokens = tokens;
    this.#most = GRANT_ACCESS_TOKENS_MAX;
    const keys = { asked: (hash: string) => hash, found: ({ token }: GrantOfToken) => token._id };
    this.find = batchedLookup('grants.grant_tokens', keys, (hashes, timed) =>
      tokens
        .aggregate<GrantOfToken>(
          [
            { $match: { _id: hashes.length === 1 ? hashes[0] : { $in: hashes } } },
            {
              $lookup: {
                from: storedGrants.collection,
                localField: 'grant_id',
                foreignField: '_id',
                as: 'grant',
              },
            },
            { $unwind: '$grant' },
            { $replaceWith: { $mergeObjects: ['$grant', { token: '$$ROOT', as_of: '$$NOW' }] } },
            { $unset: 'token.grant' },
          ],
          within(timed),
        )
        .toArray(),
    );
  }

  /** Makes the code of a consent. */
  async newCode(
    grant: StoredGrant,
    asked: { readonly redirect_uri: string; readonly challenge: string },
    timed: Timed,
  ): Promise<string> {
    const code = newGrantSecret('code');
    const expires_at = new Date(grant.created_at.getTime() + CODE_S * 1000);
    const stored = { ...of(grant, code), kind: 'code', expires_at, used_at: null, ...asked } as const;
    await this.#tokens.insertOne(stored, within(timed));
    return code;
  }

  /**
   * Makes an access token, which ends with its grant at the latest.
   *
   * @param isRefreshed whether with a refresh token.
   * @throws ActionError `action_platform_unavailable` when the grant has many that have not expired.
   */
  async issue(grant: AsOf<StoredGrant>, isRefreshed: boolean, timed: Timed) {
    const live = { grant_id: grant._id, kind: 'access', expires_at: { $gt: grant.as_of } } as const;
    if (!(await hasRoom(this.#tokens, live, this.#most, timed)))
      throw new ActionError('action_platform_unavailable', { retryAfter: ACCESS_S / 10 });
    const leftMs = grant.expires_at.getTime() - grant.as_of.getTime();
    const expiresIn = Math.min(ACCESS_S, Math.ceil(leftMs / 1000));
    const expires_at = new Date(grant.as_of.getTime() + Math.min(ACCESS_S * 1000, leftMs));
    const accessToken = newGrantSecret('access');
    const access = { ...of(grant, accessToken), kind: 'access', expires_at } as const;
    if (!isRefreshed) {
      await this.#tokens.insertOne(access, within(timed));
      return { accessToken, expiresIn };
    }
    const refreshToken = newGrantSecret('refresh');
    const refresh = { kind: 'refresh', expires_at: grant.expires_at, used_at: null } as const;
    await this.#tokens.insertMany([access, { ...of(grant, refreshToken), ...refresh }], within(timed));
    return { accessToken, refreshToken, expiresIn };
  }

  /** Notes the first use of a code or a refresh token; false when it was used before. */
  async use({ _id }: StoredToken, timed: Timed): Promise<boolean> {
    const first = { _id, used_at: null };
    const { modifiedCount } = await this.#tokens.updateOne(
      first,
      [
        {
          $set: {
            used_at: '$$NOW',
            expires_at: { $min: ['$expires_at', { $add: ['$$NOW', USED_KEPT_MS] }] },
          },
        },
      ],
      within(timed),
    );
    return modifiedCount === 1;
  }

  /** Ends an access token alone. */
  async end({ _id }: StoredToken, timed: Timed): Promise<void> {
    await this.#tokens.deleteOne({ _id }, within(timed));
  }
}

function of({ _id, workspace_id, user_id }: StoredGrant, secret: string) {
  return { _id: hashGrantSecret(secret), grant_id: _id, workspace_id, user_id };
}
