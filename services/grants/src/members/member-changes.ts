/*
 * The changes of memberships, one at a time in each Workspace: its document decides. The document has the Workspace's Owners, the number of
 * its active Members, and the change under way, which is numbered:
 *
 *   1. Decide.   The change is stored in the document with the Owners and Members after it, if no other has begun since the last look.
 *   2. Apply.    The membership gets it, unless it has a change of this number or a later one.
 *   3. Settle.   The change under way is removed.
 *
 * The next change completes one that a crash has left. A late writer does nothing, because the number has passed. Calls read memberships
 * alone: a change counts when it is applied, and is acknowledged after that.
 */
import { isDeepStrictEqual } from 'node:util';
import { numberedCommit, oneMoreCommit } from '@action-platform/change-events';
import type { Role } from '@action-platform/contracts/authority';
import { type Originated, requireTimeLeft, type Timed } from '@action-platform/contracts/calls';
import {
  ActionError,
  invalidRequest,
  limitReached,
  noSuchMember,
  noSuchWorkspace,
} from '@action-platform/contracts/errors';
import type { Limits } from '@action-platform/contracts/limits';
import { hasRoom, isDuplicateKey, within } from '@action-platform/mongo';
import type { Collection, Filter } from 'mongodb';
import { effectOf } from './change-effect.ts';
import { stateAfter } from './states.ts';
import {
  inWorkspace,
  type MemberCommit,
  type MemberKey,
  type StoredMember,
  type WorkspaceLimit,
  type WorkspaceMarks,
} from './stored-member.ts';
import type { ChangeUnderWay, Marking, StoredWorkspace } from './stored-workspace.ts';

/** The most active Members and Owners of a Workspace. */
const MEMBERS_MAX = 10_000;
const OWNERS_MAX = 100;

/** The limit on the memberships of a Workspace, removed ones included: its commands read and change all of them. */
export type MemberLimits = Pick<Limits, 'WORKSPACE_MEMBERS_STORED_MAX'>;

/** A change that is wanted. */
type Wanted = Pick<ChangeUnderWay, 'type' | 'role' | 'display_name' | 'erasure'>;

/** The result of a change: the membership, and whether this call has changed it. */
export interface Changed {
  readonly member: StoredMember;
  readonly isChanged: boolean;
}

export interface Forced {
  /** Whether a Workspace may lose its last Owner. */
  readonly force?: boolean;
}

/** The changes of memberships, each safe to repeat. Throws `invalid_request` or `member_not_found` for an unknown Workspace or Member. */
export class MemberChanges {
  readonly #members: Collection<StoredMember>;
  readonly #workspaces: Collection<StoredWorkspace>;
  readonly #limits: MemberLimits;
  /** The end of the last change of each Workspace that has one under way here. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(
    members: Collection<StoredMember>,
    workspaces: Collection<StoredWorkspace>,
    limits: MemberLimits,
  ) {
    this.#members = members;
    this.#workspaces = workspaces;
    this.#limits = limits;
  }

  /** Adds a user, or a removed Member again; an active Member stays as they are, also one with another role. */
  async add(
    key: MemberKey,
    { role, displayName }: { readonly role: Role; readonly displayName?: string | undefined },
    call: Originated,
  ): Promise<Changed> {
    const named = displayName && { display_name: displayName };
    return await this.#change(key, { type: 'member_added', role, ...named }, {}, call);
  }

  /** Ends a membership and its app connections. */
  async remove(key: MemberKey, forced: Forced, call: Originated): Promise<Changed> {
    return await this.#change(key, { type: 'member_removed' }, forced, call);
  }

  /** Sets the role of an active Member. */
  async setRole(key: MemberKey, role: Role, forced: Forced, call: Originated): Promise<Changed> {
    return await this.#change(key, { type: 'role_changed', role }, forced, call);
  }

  /**
   * Has a removed Member erased from a time on, in milliseconds from now. The first of several times counts, and an erased Member is erased
   * `again` alone.
   */
  async erase(
    key: MemberKey,
    erasure: { readonly afterMs: number; readonly again: boolean },
    call: Originated,
  ): Promise<StoredMember> {
    return (await this.#change(key, { type: 'erased', erasure }, {}, call)).member;
  }

  /** Sets the display name of an active Member, which is no matter of authority; the name that the Member has already is no change. */
  async setName(
    { workspace_id, user_id }: MemberKey,
    displayName: string | null,
    call: Originated,
  ): Promise<void> {
    const name = displayName || null;
    const commit: Omit<MemberCommit, 'at'> = { type: 'member.renamed', ...call.origin };
    const active = { _id: { workspace_id, user_id }, status: 'active' } as const;
    // An absent name equals null.
    const { matchedCount } = await this.#members.updateOne(
      { ...active, display_name: { $ne: name } } as Filter<StoredMember>,
      [
        {
          $set: {
            display_name: name === null ? '$$REMOVE' : { $literal: name },
            commits: oneMoreCommit(commit),
          },
        },
      ],
      within(call),
    );
    if (matchedCount === 1) return;
    const isActive = (await this.#members.findOne(active, within(call))) !== null;
    if (!isActive) throw noSuchMember(workspace_id, user_id);
  }

  /**
   * Marks the memberships of a Workspace that is about to have its first of something, also those that are added from now on. A change that began
   * before is completed first, so that no membership is left out.
   */
  async mark(_id: string, what: 'custom_operations' | 'approval_rules', timed: Timed): Promise<void> {
    const store = (marking: Marking) =>
      this.#workspaces.updateOne({ _id }, { $set: { [what]: marking } }, within(timed));
    const workspace = await this.#workspaces.findOne({ _id }, within(timed));
    if (workspace?.[what] === 'marked') return;
    await store('marking');
    await this.#settled(_id, timed);
    const mark = { $set: { [`has_${what}`]: true } };
    await this.#members.updateMany({ _id: inWorkspace(_id) }, mark, within(timed));
    await store('marked');
  }

  /**
   * Changes the limit of a Workspace, and then what its memberships have of it, also where a former command has left that. A change that began
   * before is completed first, and a membership keeps the limit of a later revision.
   */
  async limit(
    _id: string,
    change: (limit: WorkspaceLimit) => Omit<WorkspaceLimit, 'revision'>,
    call: Originated,
  ): Promise<WorkspaceLimit> {
    for (;;) {
      requireTimeLeft(call);
      const { limit: before = { revision: 0 } } = await this.#settled(_id, call);
      const { revision, ...present } = before;
      const wanted = change(before);
      const isChanged = !isDeepStrictEqual(present, wanted);
      const limit = isChanged ? { revision: revision + 1, ...wanted } : before;
      if (limit.revision === 0) return limit;
      if (isChanged) {
        const { $set, $unset } = numberedCommit(limit.revision, { ...call.origin, ...limit, at: new Date() });
        const unchanged = { _id, 'limit.revision': revision === 0 ? { $exists: false } : revision };
        const update = { $set: { ...$set, limit }, $unset };
        if ((await this.#workspaces.updateOne(unchanged, update, within(call))).matchedCount === 0) continue;
        await this.#settled(_id, call);
      }
      const earlier = {
        _id: inWorkspace(_id),
        'workspace_limit.revision': { $not: { $gte: limit.revision } },
      };
      // Only active Members make calls.
      for (const status of ['active', 'removed'] as const)
        await this.#members.updateMany(
          { ...earlier, status },
          { $set: { workspace_limit: limit } },
          within(call),
        );
      return limit;
    }
  }

  /** Changes of a Workspace in this replica run one after the other, so that only those of other replicas contend. */
  async #change(key: MemberKey, wanted: Wanted, forced: Forced, call: Originated): Promise<Changed> {
    const { workspace_id } = key;
    const before = this.#last.get(workspace_id);
    const change = Promise.resolve(before).then(() => this.#changeNow(key, wanted, forced, call));
    const ended = change.then(() => {}).catch(() => {});
    this.#last.set(workspace_id, ended);
    try {
      return await change;
    } finally {
      if (this.#last.get(workspace_id) === ended) this.#last.delete(workspace_id);
    }
  }

  async #changeNow(
    key: MemberKey,
    wanted: Wanted,
    { force = false }: Forced,
    call: Originated,
  ): Promise<Changed> {
    for (;;) {
      requireTimeLeft(call);
      const workspace = await this.#settled(key.workspace_id, call);
      const member = await this.#members.findOne({ _id: key }, within(call));
      const next = stateAfter(member, wanted);
      if (next === 'refused') throw noSuchMember(key.workspace_id, key.user_id);
      if (next === 'kept') return { member: member!, isChanged: false };
      if (next === 'active' && member?.erase_from !== undefined) throw erasureUnderWay(key);
      const isActive = next === 'active';
      const after = countsAfter(workspace, key.user_id, member, isActive, wanted.role);
      if (!force && after.owners.length === 0 && workspace.owners.length > 0) throw lastOwner(key);
      requireRoom(workspace, after);
      if (member === null) await this.#requireRoomForAnother(key.workspace_id, call);
      const marks = marksOf(workspace);
      const number = workspace.changes + 1;
      const change = { ...wanted, marks, number, user_id: key.user_id, origin: call.origin };
      if (await this.#begin(workspace, change, after, call))
        return { member: await this.#complete(key.workspace_id, change, call), isChanged: true };
    }
  }

  async #requireRoomForAnother(workspaceId: string, timed: Timed): Promise<void> {
    const { WORKSPACE_MEMBERS_STORED_MAX: most } = this.#limits;
    if (await hasRoom(this.#members, { _id: inWorkspace(workspaceId) }, most, timed)) return;
    throw limitReached(`The Workspace has or had ${most} Members`, 'A removed Member can be added again.');
  }

  /** A Workspace without a change under way; `#settled` completes a change that it finds. */
  async #settled(_id: string, timed: Timed): Promise<Settled> {
    for (;;) {
      const workspace = await this.#workspaces.findOne({ _id }, within(timed));
      if (workspace === null || workspace.deleted_at !== undefined) throw noSuchWorkspace(_id);
      const { change, owners = [], members = 0, changes = 0 } = workspace;
      if (change === undefined) return { ...workspace, owners, members, changes };
      await this.#complete(_id, change, timed);
    }
  }

  /** Whether the change is now the one under way: no other has begun since the look. */
  async #begin(
    { _id, changes, custom_operations, approval_rules, limit }: Settled,
    change: ChangeUnderWay,
    { owners, members }: Counts,
    timed: Timed,
  ): Promise<boolean> {
    const unchanged = {
      _id,
      changes: changes === 0 ? { $exists: false } : changes,
      change: { $exists: false },
      custom_operations: custom_operations ?? { $exists: false },
      approval_rules: approval_rules ?? { $exists: false },
      'limit.revision': limit?.revision ?? { $exists: false },
      deleted_at: { $exists: false },
    };
    const begun = { $set: { change, changes: change.number, owners: [...owners], members } };
    return (await this.#workspaces.updateOne(unchanged, begun, within(timed))).matchedCount === 1;
  }

  /** Applies a change that has begun, and settles it; returns the membership. */
  async #complete(workspace_id: string, change: ChangeUnderWay, timed: Timed): Promise<StoredMember> {
    const _id = { workspace_id, user_id: change.user_id };
    const unapplied = { _id, change: { $not: { $gte: change.number } } };
    const options = {
      upsert: change.type === 'member_added',
      returnDocument: 'after',
      ...within(timed),
    } as const;
    const set = [{ $set: { ...effectOf(change), change: change.number } }];
    const applied = await this.#members.findOneAndUpdate(unapplied, set, options).catch((error: unknown) => {
      // The membership exists, and has the change.
      if (isDuplicateKey(error)) return null;
      throw error;
    });
    const settle = { _id: workspace_id, 'change.number': change.number };
    await this.#workspaces.updateOne(settle, { $unset: { change: true } }, within(timed));
    return applied ?? (await this.#members.findOne({ _id }, within(timed)))!;
  }
}

type Counts = Required<Pick<StoredWorkspace, 'owners' | 'members'>>;
type Settled = StoredWorkspace & Required<Pick<StoredWorkspace, 'owners' | 'members' | 'changes'>>;

/** The marks of a membership that is added now. */
function marksOf({ custom_operations, approval_rules, limit }: StoredWorkspace): WorkspaceMarks {
  return {
    ...(limit !== undefined && { workspace_limit: limit }),
    ...(custom_operations !== undefined && { has_custom_operations: custom_operations !== 'none' }),
    ...(approval_rules !== undefined && { has_approval_rules: approval_rules !== 'none' }),
  };
}

/** The Owners and the number of Members after a change. */
function countsAfter(
  { owners, members }: Counts,
  userId: string,
  member: StoredMember | null,
  isActive: boolean,
  role: Role | undefined,
): Counts {
  const others = owners.filter((owner) => owner !== userId);
  const wasActive = member?.status === 'active';
  return {
    owners: isActive && role === 'owner' ? [...others, userId] : others,
    members: members + Number(isActive) - Number(wasActive),
  };
}

function requireRoom(before: Counts, after: Counts): void {
  if (after.members > Math.max(MEMBERS_MAX, before.members))
    throw limitReached(`The Workspace has ${MEMBERS_MAX} Members`, 'Remove one who has left.');
  if (after.owners.length > Math.max(OWNERS_MAX, before.owners.length))
    throw limitReached(`The Workspace has ${OWNERS_MAX} Owners`, 'Make one of them a Member.');
}

function lastOwner({ user_id }: MemberKey): ActionError {
  const message = `${JSON.stringify(user_id)} is the last Owner of the Workspace.`;
  return new ActionError('last_owner', { message });
}

function erasureUnderWay({ user_id }: MemberKey): ActionError {
  const message = `user: ${JSON.stringify(user_id)} is being erased; repeat the command when member list shows erasedAt.`;
  return invalidRequest(message);
}
