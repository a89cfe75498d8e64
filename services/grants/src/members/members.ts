import { batchedLookup } from '@action-platform/batching';
import {
  ActionError,
  type ConnectedApp,
  noSuchMember,
  noSuchWorkspace,
  type Role,
  type SessionClaims,
  type Timed,
} from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import { type Collection, type Condition, type Document, type Filter, MaxKey, MinKey } from 'mongodb';
import { type MemberKey, type MembershipChange, memberKey, type StoredMember } from './stored-member.ts';
import type { StoredWorkspace } from './stored-workspace.ts';

/**
 * The memberships of all Workspaces, and the changes that operators make. A change is one update of one document, so it is
 * atomic, and repeating it changes nothing. A change of an unknown Member throws `invalid_request`, which names the
 * Workspace or the user that does not exist.
 */
export class Members {
  readonly #members: Collection<StoredMember>;
  readonly #workspaces: Collection<StoredWorkspace>;

  /** The current membership; undefined when the user never had one. */
  readonly find: (key: MemberKey, timed: Timed) => Promise<StoredMember | undefined>;

  constructor(members: Collection<StoredMember>, workspaces: Collection<StoredWorkspace>) {
    this.#members = members;
    this.#workspaces = workspaces;
    // JSON keeps keys distinct, because a user id may contain any separator.
    const text = ({ workspace_id, user_id }: MemberKey) => JSON.stringify([workspace_id, user_id]);
    const keysOf = { asked: text, found: ({ _id }: StoredMember) => text(_id) };
    this.find = batchedLookup('grants.members', keysOf, (keys, timed) =>
      // The database finds a single key without a plan.
      members.find({ _id: keys.length === 1 ? keys[0]! : { $in: keys } }, within(timed)).toArray(),
    );
  }

  /** The signed-in Member; throws ActionError `workspace_membership_required` when the user is no active Member. */
  readonly requireSignedIn = async (
    { workspaceId, userId }: SessionClaims,
    timed: Timed,
  ): Promise<StoredMember> => {
    const member = await this.find(memberKey(workspaceId, userId), timed);
    if (member?.status !== 'active') throw new ActionError('workspace_membership_required');
    return member;
  };

  /** The active Member that an operator names. */
  async requireActive(key: MemberKey, timed: Timed): Promise<StoredMember> {
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
  async add(key: MemberKey, role: Role, timed: Timed): Promise<StoredMember> {
    await this.requireWorkspace(key.workspace_id, timed);
    const back = { status: 'active', role };
    const returned = await this.#change({ _id: key, status: 'removed' }, 'member_added', back, timed);
    if (returned !== null) return returned;
    const first = {
      $setOnInsert: { role, status: 'active', epoch: 1, changes: [], connections: {} },
    } as const;
    const options = { upsert: true, returnDocument: 'after', ...within(timed) } as const;
    const member = await this.#members.findOneAndUpdate({ _id: key }, first, options);
    // Another command removed the Member between the two updates, so this one adds the Member again.
    return member?.status === 'active' ? member : await this.add(key, role, timed);
  }

  /** Ends a membership and its app connections. */
  async remove(key: MemberKey, timed: Timed): Promise<StoredMember> {
    const end = { status: 'removed', connections: { $literal: {} } };
    const removed = await this.#change({ _id: key, status: 'active' }, 'member_removed', end, timed);
    const member = removed ?? (await this.#members.findOne({ _id: key }, within(timed)));
    if (member === null) throw await this.#noSuchMember(key, timed);
    return { ...member, status: 'removed' };
  }

  /** Sets the role of an active Member; their present role changes nothing. */
  async setRole(key: MemberKey, role: Role, timed: Timed): Promise<StoredMember> {
    const other = { _id: key, status: 'active', role: { $ne: role } } as const;
    const changed = await this.#change(other, 'role_changed', { role }, timed);
    const member = changed ?? (await this.#members.findOne({ _id: key, status: 'active' }, within(timed)));
    if (member === null) throw await this.#noSuchMember(key, timed);
    return { ...member, role };
  }

  /** Connects an app for an active Member under a new connection id, which replaces an earlier one. */
  async connect(key: MemberKey, app: ConnectedApp, connectionId: string, timed: Timed): Promise<void> {
    const { matchedCount } = await this.#members.updateOne(
      { _id: key, status: 'active' },
      { $set: { [`connections.${app}`]: connectionId } },
      within(timed),
    );
    if (matchedCount === 0) throw await this.#noSuchMember(key, timed);
  }

  /** Ends the connection of an app. It accepts a removed Member, whose connections have already ended. */
  async disconnect(key: MemberKey, app: ConnectedApp, timed: Timed): Promise<void> {
    const { matchedCount } = await this.#members.updateOne(
      { _id: key },
      { $unset: { [`connections.${app}`]: true } },
      within(timed),
    );
    if (matchedCount === 0) throw await this.#noSuchMember(key, timed);
  }

  /**
   * Changes a membership and begins a new authority epoch, which stops every grant of an earlier one. The update is a
   * pipeline, in which `$…` are the values before the update, so it can store the connections at the end of the epoch.
   */
  #change(
    who: Filter<StoredMember>,
    why: MembershipChange,
    set: Document,
    timed: Timed,
  ): Promise<StoredMember | null> {
    const ended = { k: { $toString: '$epoch' }, v: '$connections' };
    const newEpoch = {
      epoch: { $add: ['$epoch', 1] },
      changes: { $concatArrays: ['$changes', [why]] },
      connections_at_end: { $mergeObjects: ['$connections_at_end', { $arrayToObject: [[ended]] }] },
    };
    return this.#members.findOneAndUpdate(who, [{ $set: { ...set, ...newEpoch } }], {
      returnDocument: 'after',
      ...within(timed),
    });
  }

  async #hasWorkspace(id: string, timed: Timed): Promise<boolean> {
    return (await this.#workspaces.findOne({ _id: id }, within(timed))) !== null;
  }

  async #noSuchMember({ workspace_id, user_id }: MemberKey, timed: Timed): Promise<ActionError> {
    if (!(await this.#hasWorkspace(workspace_id, timed))) return noSuchWorkspace(workspace_id);
    return noSuchMember(workspace_id, user_id);
  }
}

/** The range of the keys of a Workspace's memberships; MongoDB compares documents field by field. */
function inWorkspace(workspace_id: string): Condition<MemberKey> {
  const from = { workspace_id, user_id: new MinKey() };
  const to = { workspace_id, user_id: new MaxKey() };
  return { $gt: from, $lt: to } as unknown as Condition<MemberKey>;
}
