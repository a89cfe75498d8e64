import { type GrantKind, grantKind } from '@action-platform/contracts/authority';
import type { Originated, Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { batchedLookup, unlessTaken, within } from '@action-platform/mongo';
import type { Collection, Filter } from 'mongodb';
import type { EndedConnection } from '../connections/app-connections.ts';
import { type Caller, type MemberKey, memberKey, type StoredMember } from '../members/stored-member.ts';
import { type AsOf, withTimeOfReading } from './database-time.ts';
import { howEnded, isLost } from './status.ts';
import type { StoredGrant } from './stored-grant.ts';

/** The age of `last_used_at` from which a use is recorded again, in milliseconds. */
const USE_PRECISION_MS = 60_000;

/** An idempotency key of a create with its scope: a Member's grants of a kind. */
export type CreateKey = Required<Pick<StoredGrant, 'workspace_id' | 'user_id' | 'kind' | 'idempotency_key'>>;

/** The stored grants of all Workspaces. */
export class Grants {
  readonly #grants: Collection<StoredGrant>;

  /** The current grant whose secret has this hash. */
  readonly findBySecret: (secretHash: string, timed: Timed) => Promise<AsOf<StoredGrant> | undefined>;

  constructor(grants: Collection<StoredGrant>) {
    this.#grants = grants;
    const itself = (hash: string) => hash;
    this.findBySecret = batchedLookup(
      'grants.grants',
      { asked: itself, found: ({ secret_hash }: AsOf<StoredGrant>) => secret_hash },
      (hashes, timed) => this.#read([{ $match: { secret_hash: { $in: hashes } } }], timed),
    );
  }

  /** The grant that a create with this key made. */
  async findByKey(key: CreateKey, timed: Timed): Promise<AsOf<StoredGrant> | undefined> {
    return (await this.#read([{ $match: key }], timed))[0];
  }

  /** A grant of any status with the time of the read; undefined for an unknown id. */
  async findNow(grantId: string, timed: Timed): Promise<AsOf<StoredGrant> | undefined> {
    return (await this.#read([{ $match: { _id: grantId } }], timed))[0];
  }

  /** A grant of any status; null for an unknown id. */
  async find(grantId: string, timed: Timed): Promise<StoredGrant | null> {
    return await this.#grants.findOne({ _id: grantId }, within(timed));
  }

  /** The ids among these of grants of a Workspace, of any status. */
  async known(workspace_id: string, ids: readonly string[], timed: Timed): Promise<string[]> {
    if (ids.length === 0) return [];
    const query = { workspace_id, _id: { $in: [...ids] } };
    const found = this.#grants.find(query, { projection: { _id: 1 }, ...within(timed) });
    return await found.map(({ _id }) => _id).toArray();
  }

  /** How many grants stopped when a membership ended: those of the epoch before that had not ended. */
  async stoppedByEnd(member: StoredMember, timed: Timed): Promise<number> {
    const epoch = member.epoch - 1;
    const connected = member.connections_at_end?.[epoch] ?? {};
    const grants = await this.#notEnded(member._id, epoch, timed);
    return grants.filter(({ connection_ids }) => !isLost(connection_ids, connected)).length;
  }

  /** How many grants stopped when a connection ended: those bound to it that had not ended. */
  async stoppedByDisconnection(
    { workspaceId, userId, app, id, epoch }: EndedConnection,
    timed: Timed,
  ): Promise<number> {
    const grants = await this.#notEnded(memberKey(workspaceId, userId), epoch, timed);
    return grants.filter(({ connection_ids }) => connection_ids[app] === id).length;
  }

  /** The connections of the grants of an authority epoch that were not revoked and have not expired. */
  async #notEnded(
    holder: MemberKey,
    member_epoch: number,
    timed: Timed,
  ): Promise<Pick<StoredGrant, 'connection_ids'>[]> {
    // A projection keeps the data scopes out, which may be large.
    const fields = { connection_ids: 1, revoked_at: 1, expires_at: 1 };
    const read = await this.#read([{ $match: { ...holder, member_epoch } }, { $project: fields }], timed);
    return read.filter((grant) => howEnded(grant, grant.as_of) === undefined);
  }

  /** Up to `limit` of the grants of a kind that the Member sees, newest first, from after the one with the id `after`. */
  page(
    member: Caller,
    kind: GrantKind,
    after: string | undefined,
    limit: number,
    timed: Timed,
  ): Promise<AsOf<StoredGrant>[]> {
    const from = after === undefined ? {} : { _id: { $lt: after } };
    const match = { ...visibleTo(member, kind), ...from };
    return this.#read([{ $match: match }, { $sort: { _id: -1 } }, { $limit: limit }], timed);
  }

  /** The ids of the newest grants of a Workspace, of all kinds, newest first. Reads the index alone: a grant may be large. */
  async newest(workspace_id: string, limit: number, timed: Timed): Promise<string[]> {
    const ofKinds = grantKind.options.map((kind) =>
      this.#grants
        .find({ workspace_id, kind }, { projection: { _id: 1 }, sort: { _id: -1 }, limit, ...within(timed) })
        .map(({ _id }) => _id)
        .toArray(),
    );
    const ids = (await Promise.all(ofKinds)).flat();
    return ids.toSorted((one, other) => (partOfTime(one) < partOfTime(other) ? 1 : -1)).slice(0, limit);
  }

  /** The grants with these ids, in this order. */
  async ofIds(ids: readonly string[], timed: Timed): Promise<AsOf<StoredGrant>[]> {
    const byId = new Map(
      (await this.#read([{ $match: { _id: { $in: [...ids] } } }], timed)).map((grant) => [grant._id, grant]),
    );
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Inserts a grant; false when its idempotency key has already made one. */
  async insert(grant: StoredGrant, timed: Timed): Promise<boolean> {
    return await unlessTaken(this.#grants.insertOne(grant, within(timed)));
  }

  /**
   * Gives a grant that was never used another secret, so that the earlier one stops, and returns the updated grant;
   * undefined when its secret was used, or the grant was deleted.
   */
  async replaceUnusedSecret(
    { _id }: StoredGrant,
    secret: Pick<StoredGrant, 'secret_hash' | 'secret_hint'>,
    timed: Timed,
  ): Promise<StoredGrant | undefined> {
    const options = { returnDocument: 'after', ...within(timed) } as const;
    const replaced = await this.#grants.findOneAndUpdate(
      { _id, last_used_at: null },
      { $set: secret },
      options,
    );
    return replaced ?? undefined;
  }

  /**
   * Revokes a grant that the Member sees, keeps the time of the first revocation, and returns the updated grant;
   * undefined when they see no grant with this id.
   */
  async revoke(
    member: Caller,
    kind: GrantKind,
    id: string,
    call: Originated,
  ): Promise<StoredGrant | undefined> {
    const filter = { ...visibleTo(member, kind), _id: id };
    const isFirst = { $eq: ['$revoked_at', null] };
    const once = {
      $set: {
        revoked_at: { $ifNull: ['$revoked_at', '$$NOW'] },
        revocation: { $cond: [isFirst, { $literal: call.origin }, '$revocation'] },
      },
    };
    const options = { returnDocument: 'after', ...within(call) } as const;
    return (await this.#grants.findOneAndUpdate(filter, [once], options)) ?? undefined;
  }

  /**
   * Records a use of a grant as it was read. Most uses cost no write, because one write a minute is enough. The first use is
   * always recorded, by an update that names the secret: after it `replaceUnusedSecret` keeps the secret.
   *
   * @throws ActionError `invalid_token` when the secret was replaced since the grant was read.
   */
  async markUsed({ _id, secret_hash, last_used_at, as_of }: AsOf<StoredGrant>, timed: Timed): Promise<void> {
    if (last_used_at !== null && as_of.getTime() - last_used_at.getTime() < USE_PRECISION_MS) return;
    const used = { $max: { last_used_at: as_of } };
    const { matchedCount } = await this.#grants.updateOne({ _id, secret_hash }, used, within(timed));
    if (matchedCount === 0) throw new ActionError('invalid_token');
  }

  #read(pipeline: object[], timed: Timed): Promise<AsOf<StoredGrant>[]> {
    return this.#grants
      .aggregate<AsOf<StoredGrant>>([...pipeline, withTimeOfReading], within(timed))
      .toArray();
  }
}

/** The part of an id after the prefix of its kind: it sorts by creation. */
function partOfTime(id: string): string {
  return id.slice(id.indexOf('_'));
}

/** The grants of a kind that a Member sees and may revoke: their own; as an Owner, all of the Workspace. */
function visibleTo({ _id: { workspace_id, user_id }, role }: Caller, kind: GrantKind): Filter<StoredGrant> {
  return role === 'owner' ? { workspace_id, kind } : { workspace_id, user_id, kind };
}
