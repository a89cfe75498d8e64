import { batchedLookup } from '@action-platform/batching';
import {
  ActionError,
  type ConnectedApp,
  noSuchMember,
  noSuchWorkspace,
  type Originated,
  type Role,
  type SessionClaims,
  type Timed,
} from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection, Document, Filter } from 'mongodb';
import { lastOf, type MemberCommit, oneMoreCommit } from './member-commit.ts';
import {
  type GrantHolder,
  inWorkspace,
  type MemberKey,
  type Membership,
  type MembershipChange,
  memberKey,
  type StoredMember,
} from './stored-member.ts';
import type { StoredWorkspace } from './stored-workspace.ts';

/** The projection of a membership to what decides authority. */
const ofAuthority = {
  role: 1,
  status: 1,
  epoch: 1,
  connections: 1,
  workspace_deleted: 1,
} as const satisfies {
  readonly [Field in Exclude<keyof Membership, '_id'>]: 1;
};

const withFormerEpochs = { ...ofAuthority, changes: 1, connections_at_end: 1 } as const;

/** How many former epochs a membership keeps. A grant of an earlier one counts as stopped by the removal of its Member. */
const KEPT_EPOCHS = 100;

/** The fields of a grant that bind it to a membership. */
type BoundGrant = Pick<Membership['_id'], 'workspace_id' | 'user_id'> & { readonly member_epoch: number };

/**
 * The memberships of all Workspaces, and the changes that operators make. A change is one update of one document, so it is
 * atomic, and repeating it changes nothing. A change of an unknown Member throws `invalid_request`, which names the
 * Workspace or the user that does not exist.
 */
export class Members {
  readonly #members: Collection<StoredMember>;
  readonly #workspaces: Collection<StoredWorkspace>;

  /** The current membership; undefined when the user never had one, or the Workspace is deleted. */
  readonly find: (key: MemberKey, timed: Timed) => Promise<Membership | undefined>;
  readonly #findWithFormerEpochs: (key: MemberKey, timed: Timed) => Promise<GrantHolder | undefined>;

  constructor(members: Collection<StoredMember>, workspaces: Collection<StoredWorkspace>) {
    this.#members = members;
    this.#workspaces = workspaces;
    // JSON keeps keys distinct, because a user id may contain any separator.
    const text = ({ workspace_id, user_id }: MemberKey) => JSON.stringify([workspace_id, user_id]);
    const keysOf = { asked: text, found: ({ _id }: Membership) => text(_id) };
    const lookup = <Found extends Membership>(name: string, projection: Document) =>
      batchedLookup(name, keysOf, async (keys: readonly MemberKey[], timed: Timed) => {
        // The database finds a single key without a plan.
        const _id = keys.length === 1 ? keys[0]! : { $in: [...keys] };
        const found = await members.find<Found>({ _id }, { projection, ...within(timed) }).toArray();
        return found.filter(({ workspace_deleted }) => workspace_deleted === undefined);
      });
    this.find = lookup<Membership>('grants.members', ofAuthority);
    this.#findWithFormerEpochs = lookup<GrantHolder>('grants.former_epochs', withFormerEpochs);
  }

  /** The membership of a grant, with its former epochs when the grant is of one of them. */
  async holderOf(grant: BoundGrant, timed: Timed): Promise<GrantHolder | undefined> {
    const key = memberKey(grant.workspace_id, grant.user_id);
    const member = await this.find(key, timed);
    const isOfThisEpoch = member === undefined || member.epoch === grant.member_epoch;
    return isOfThisEpoch ? member : await this.#findWithFormerEpochs(key, timed);
  }

  /** The signed-in Member; throws ActionError `workspace_membership_required` when the user is no active Member. */
  readonly requireSignedIn = async (
    { workspaceId, userId }: SessionClaims,
    timed: Timed,
  ): Promise<Membership> => {
    const member = await this.find(memberKey(workspaceId, userId), timed);
    if (member?.status !== 'active') throw new ActionError('workspace_membership_required');
    return member;
  };

  /** The signed-in Owner; throws ActionError `owner_role_required` for another Member, besides what `requireSignedIn` throws. */
  readonly requireOwner = async (session: SessionClaims, timed: Timed): Promise<Membership> => {
    const member = await this.requireSignedIn(session, timed);
    if (member.role !== 'owner') throw new ActionError('owner_role_required');
    return member;
  };

  /** The active Member that an operator names. */
  async requireActive(key: MemberKey, timed: Timed): Promise<Membership> {
    const member = await this.find(key, timed);
    if (member?.status !== 'active') throw await this.#noSuchMember(key, timed);
    return member;
  }

  /** Whether the Workspace exists, and which of the users are active Members of it. */
  async known(
    workspaceId: string,
    userIds: readonly string[],
    timed: Timed,
  ): Promise<{ isWorkspace: boolean; members: string[] }> {
    const keys = userIds.map((userId) => memberKey(workspaceId, userId));
    const [isWorkspace, found] = await Promise.all([
      this.#hasWorkspace(workspaceId, timed),
      Promise.all(keys.map((key) => this.find(key, timed))),
    ]);
    const active = found.filter((member) => member?.status === 'active');
    return { isWorkspace, members: active.map((member) => member!._id.user_id) };
  }

  /** Refuses (`invalid_request`) a command for a Workspace that does not exist. */
  async requireWorkspace(workspaceId: string, timed: Timed): Promise<void> {
    if (!(await this.#hasWorkspace(workspaceId, timed))) throw noSuchWorkspace(workspaceId);
  }

  /** The Members of a Workspace, removed ones too, by user id. */
  async list(workspaceId: string, timed: Timed): Promise<StoredMember[]> {
    await this.requireWorkspace(workspaceId, timed);
    return await this.#members
      .find({ _id: inWorkspace(workspaceId) }, within(timed))
      .sort({ _id: 1 })
      .toArray();
  }

  /**
   * Refuses (`invalid_request`) to remove the last Owner of a Workspace. It does not prevent two concurrent commands from
   * removing the last two.
   */
  async requireAnotherOwner(key: MemberKey, timed: Timed): Promise<void> {
    const owners = { _id: inWorkspace(key.workspace_id), role: 'owner', status: 'active' } as const;
    const found = await this.#members
      .find(owners, { projection: { _id: 1 }, ...within(timed) })
      .limit(2)
      .toArray();
    const isLast = found.length === 1 && found[0]!._id.user_id === key.user_id;
    if (!isLast) return;
    throw new ActionError('invalid_request', {
      message: `user: ${JSON.stringify(key.user_id)} is the last Owner of the Workspace; make another Member an Owner first, or use --force.`,
    });
  }

  /** Adds a user, or a removed Member again; returns an active Member unchanged, also one with another role. */
  async add(key: MemberKey, role: Role, call: Originated): Promise<StoredMember> {
    await this.requireWorkspace(key.workspace_id, call);
    const back = { status: 'active', role, erased_at: '$$REMOVE' };
    const returning = { _id: key, status: 'removed', erase_from: { $exists: false } } as const;
    const returned = await this.#change(returning, 'member_added', back, call);
    if (returned !== null) return returned;
    const added: MemberCommit = { type: 'member.added', at: new Date(), ...call.origin };
    const first = {
      $setOnInsert: { role, status: 'active', epoch: 1, changes: [], connections: {}, commits: { 1: added } },
    } as const;
    const options = { upsert: true, returnDocument: 'after', ...within(call) } as const;
    const member = await this.#members.findOneAndUpdate({ _id: key }, first, options);
    if (member?.erase_from !== undefined) throw erasureUnderWay(key);
    // Another command removed the Member between the two updates, so this one adds the Member again.
    return member?.status === 'active' ? member : await this.add(key, role, call);
  }

  /** Ends a membership and its app connections. */
  async remove(key: MemberKey, call: Originated): Promise<StoredMember> {
    const end = { status: 'removed', connections: { $literal: {} } };
    const removed = await this.#change({ _id: key, status: 'active' }, 'member_removed', end, call);
    const member = removed ?? (await this.#members.findOne({ _id: key }, within(call)));
    if (member === null) throw await this.#noSuchMember(key, call);
    return { ...member, status: 'removed' };
  }

  /**
   * Has a removed Member erased from a time on, in milliseconds from now. The first of several times counts, and one who was erased is
   * erased `again` alone.
   */
  async erase(
    key: MemberKey,
    { afterMs, again }: { readonly afterMs: number; readonly again: boolean },
    timed: Timed,
  ): Promise<StoredMember> {
    const from = { $min: ['$erase_from', { $add: ['$$NOW', afterMs] }] };
    const set = again
      ? { erase_from: from, erased_at: '$$REMOVE' }
      : { erase_from: { $cond: ['$erased_at', '$$REMOVE', from] } };
    const erased = await this.#members.findOneAndUpdate({ _id: key, status: 'removed' }, [{ $set: set }], {
      returnDocument: 'after',
      ...within(timed),
    });
    if (erased === null) throw await this.#noSuchMember(key, timed);
    return erased;
  }

  /** Sets the role of an active Member; their present role changes nothing. */
  async setRole(key: MemberKey, role: Role, call: Originated): Promise<StoredMember> {
    const other = { _id: key, status: 'active', role: { $ne: role } } as const;
    const changed = await this.#change(other, 'role_changed', { role }, call);
    const member = changed ?? (await this.#members.findOne({ _id: key, status: 'active' }, within(call)));
    if (member === null) throw await this.#noSuchMember(key, call);
    return { ...member, role };
  }

  /** Connects an app for an active Member under a new connection id, which replaces an earlier one. */
  async connect(key: MemberKey, app: ConnectedApp, connectionId: string, call: Originated): Promise<void> {
    const id = { $literal: connectionId };
    const { matchedCount } = await this.#members.updateOne(
      { _id: key, status: 'active' },
      [{ $set: { [`connections.${app}`]: id, commits: oneMoreCommit('app.connected', call.origin, id) } }],
      within(call),
    );
    if (matchedCount === 0) throw await this.#noSuchMember(key, call);
  }

  /** Ends the connection of an app. It accepts a removed Member, whose connections have already ended. */
  async disconnect(key: MemberKey, app: ConnectedApp, call: Originated): Promise<void> {
    const connection = `$connections.${app}`;
    const isConnected = { $ne: [{ $type: connection }, 'missing'] };
    const ended = oneMoreCommit('app.disconnected', call.origin, connection);
    const { matchedCount } = await this.#members.updateOne(
      { _id: key },
      [{ $set: { commits: { $cond: [isConnected, ended, '$commits'] } } }, { $unset: `connections.${app}` }],
      within(call),
    );
    if (matchedCount === 0) throw await this.#noSuchMember(key, call);
  }

  /**
   * Changes a membership and begins a new authority epoch, which stops every grant of an earlier one. The update is a
   * pipeline, in which `$…` are the values before the update, so it can store the connections at the end of the epoch.
   */
  #change(
    who: Filter<StoredMember>,
    why: MembershipChange,
    set: Document,
    call: Originated,
  ): Promise<StoredMember | null> {
    const ended = { k: { $toString: '$epoch' }, v: '$connections' };
    const formerEnds = { $objectToArray: { $ifNull: ['$connections_at_end', {}] } };
    const newEpoch = {
      epoch: { $add: ['$epoch', 1] },
      changes: lastOf({ $concatArrays: ['$changes', [why]] }, KEPT_EPOCHS),
      commits: oneMoreCommit(commitTypes[why], call.origin),
      connections_at_end: { $arrayToObject: lastOf({ $concatArrays: [formerEnds, [ended]] }, KEPT_EPOCHS) },
    };
    return this.#members.findOneAndUpdate(who, [{ $set: { ...set, ...newEpoch } }], {
      returnDocument: 'after',
      ...within(call),
    });
  }

  async #hasWorkspace(id: string, timed: Timed): Promise<boolean> {
    const workspace = await this.#workspaces.findOne({ _id: id }, within(timed));
    return workspace !== null && workspace.deleted_at === undefined;
  }

  async #noSuchMember({ workspace_id, user_id }: MemberKey, timed: Timed): Promise<ActionError> {
    if (!(await this.#hasWorkspace(workspace_id, timed))) return noSuchWorkspace(workspace_id);
    return noSuchMember(workspace_id, user_id);
  }
}

const commitTypes: Readonly<Record<MembershipChange, MemberCommit['type']>> = {
  member_added: 'member.added',
  member_removed: 'member.removed',
  role_changed: 'member.role_changed',
};

function erasureUnderWay({ user_id }: MemberKey): ActionError {
  const message = `user: ${JSON.stringify(user_id)} is being erased; repeat the command when member list shows erased_at.`;
  return new ActionError('invalid_request', { message });
}
