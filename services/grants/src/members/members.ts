import type { Timed } from '@action-platform/contracts/calls';
import { ActionError, noSuchMember, noSuchWorkspace } from '@action-platform/contracts/errors';
import type { SessionClaims } from '@action-platform/contracts/resources';
import { batchedLookup, within } from '@action-platform/mongo';
import type { Collection, FindCursor } from 'mongodb';
import type { CallLimits } from './call-limits.ts';
import {
  type GrantHolder,
  inWorkspace,
  type MemberKey,
  type Membership,
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
  has_custom_operations: 1,
  has_approval_rules: 1,
  workspace_limit: 1,
} as const satisfies {
  readonly [Field in Exclude<keyof Membership, '_id'>]: 1;
};

const withFormerEpochs = { ...ofAuthority, changes: 1, connections_at_end: 1 } as const;

/** The fields of a grant that bind it to a membership. */
type BoundGrant = Pick<Membership['_id'], 'workspace_id' | 'user_id'> & { readonly member_epoch: number };

/**
 * The memberships of all Workspaces, and the connections of their apps: each change of one is one update of one document. `MemberChanges`
 * changes the memberships themselves.
 */
export class Members {
  readonly #members: Collection<StoredMember>;
  readonly #workspaces: Collection<StoredWorkspace>;

  /** The current membership; undefined when the user never had one, or the Workspace is deleted. */
  readonly find: (key: MemberKey, timed: Timed) => Promise<Membership | undefined>;
  readonly #findWithFormerEpochs: (key: MemberKey, timed: Timed) => Promise<GrantHolder | undefined>;

  readonly #limits: CallLimits;

  constructor(
    members: Collection<StoredMember>,
    workspaces: Collection<StoredWorkspace>,
    limits: CallLimits,
  ) {
    this.#limits = limits;
    this.#members = members;
    this.#workspaces = workspaces;
    // JSON keeps keys distinct, because a user id may contain any separator.
    const text = ({ workspace_id, user_id }: MemberKey) => JSON.stringify([workspace_id, user_id]);
    const keysOf = { asked: text, found: ({ _id }: Membership) => text(_id) };
    const lookup = <Found extends Membership>(name: string, projection: typeof ofAuthority) =>
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

  /** The active Member of a session, whose call was admitted before; throws ActionError `workspace_membership_required`. */
  async signedIn({ workspaceId, userId }: SessionClaims, timed: Timed): Promise<Membership> {
    const member = await this.find(memberKey(workspaceId, userId), timed);
    if (member?.status !== 'active') throw notAMember(userId);
    return member;
  }

  /** Admits the call of a Member by the limit of their Workspace: see {@link CallLimits}. */
  admit(...call: Parameters<CallLimits['admit']>): Promise<void> {
    return this.#limits.admit(...call);
  }

  /** The signed-in Member, whose call is admitted; throws ActionError as `signedIn` and `admit` do. */
  readonly requireSignedIn = async (session: SessionClaims, timed: Timed): Promise<Membership> => {
    const member = await this.signedIn(session, timed);
    await this.admit(member, {}, timed);
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
    if (member?.status === 'active') return member;
    await this.requireWorkspace(key.workspace_id, timed);
    throw noSuchMember(key.workspace_id, key.user_id);
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

  /** The suspended ones among Workspaces. */
  async suspendedAmong(ids: readonly string[], timed: Timed): Promise<string[]> {
    const suspended = { _id: { $in: [...ids] }, 'limit.suspended': true } as const;
    const found = this.#workspaces.find(suspended, { projection: { _id: 1 }, ...within(timed) });
    return (await found.toArray()).map(({ _id }) => _id);
  }

  /** Refuses (`invalid_request`) a command for a Workspace that does not exist. */
  async requireWorkspace(workspaceId: string, timed: Timed): Promise<void> {
    if (!(await this.#hasWorkspace(workspaceId, timed))) throw noSuchWorkspace(workspaceId);
  }

  /** An active Member, with all that is stored; throws ActionError `member_not_found`. */
  async whole(key: MemberKey, timed: Timed): Promise<StoredMember> {
    const member = await this.#members.findOne({ _id: key, status: 'active' }, within(timed));
    if (member === null) throw noSuchMember(key.workspace_id, key.user_id);
    return member;
  }

  /** The Members of a Workspace with a state, by user id, from after one. */
  from(
    workspaceId: string,
    after: string | undefined,
    state: StoredMember['status'] | 'all',
    timed: Timed,
  ): FindCursor<StoredMember> {
    const keys = inWorkspace(workspaceId, after);
    const query = { _id: keys, ...(state !== 'all' && { status: state }) };
    return this.#members.find(query, { sort: { _id: 1 }, ...within(timed) });
  }

  /** The descriptions of the Members of a Workspace, removed ones too, by user id; a whole membership may be large. */
  async list<Described extends object>(
    workspaceId: string,
    describe: (member: StoredMember) => Described,
    timed: Timed,
  ): Promise<Described[]> {
    await this.requireWorkspace(workspaceId, timed);
    return await this.from(workspaceId, undefined, 'all', timed).map(describe).toArray();
  }

  async #hasWorkspace(id: string, timed: Timed): Promise<boolean> {
    const workspace = await this.#workspaces.findOne({ _id: id }, within(timed));
    return workspace !== null && workspace.deleted_at === undefined;
  }
}

/** The refusal of a signed-in user who is no active Member, with their user id, by which an Owner can add them. */
function notAMember(userId: string): ActionError {
  const message = `The signed-in user ${JSON.stringify(userId)} is not an active Member of this Workspace.`;
  return new ActionError('workspace_membership_required', { message });
}
