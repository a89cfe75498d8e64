import type { Originated, Timed } from '@action-platform/contracts/calls';
import { limitReached } from '@action-platform/contracts/errors';
import type { Limits } from '@action-platform/contracts/limits';
import type { Approval, ApprovalStatus, DecisionOnApproval } from '@action-platform/contracts/resources';
import { freeSlot, unlessTaken, within } from '@action-platform/mongo';
import type { Collection, Document, Filter } from 'mongodb';
import { type AsOf, withTimeOfReading } from '../grants/database-time.ts';
import { type Membership, memberEpoch } from '../members/stored-member.ts';
import { changedBy, nextStates, storedAs } from './states.ts';
import { type ApprovalOfCall, KEPT_MS, type StoredApproval } from './stored-approval.ts';

/** How long questions, decisions and uses count, and how many questions may wait. */
export type ApprovalLimits = Pick<
  Limits,
  | 'APPROVAL_PENDING_SECONDS'
  | 'APPROVAL_REPEAT_SECONDS'
  | 'APPROVAL_VALID_SECONDS'
  | 'CALLER_PENDING_APPROVALS_MAX'
  | 'WORKSPACE_PENDING_APPROVALS_MAX'
>;

/** A question, without its times. */
export type Question = Omit<
  StoredApproval,
  'requested_at' | 'pending_until' | 'slot' | 'caller_slot' | 'expires_at'
>;

/** The approvals of all Workspaces; each step of one is one conditional update, by the clock of the database. */
export class Approvals {
  readonly #approvals: Collection<StoredApproval>;
  readonly #limits: ApprovalLimits;

  constructor(approvals: Collection<StoredApproval>, limits: ApprovalLimits) {
    this.#approvals = approvals;
    this.#limits = limits;
  }

  /** The last approval of a call. */
  async last(
    { workspace_id, digest }: Pick<StoredApproval, 'workspace_id' | 'digest'>,
    timed: Timed,
  ): Promise<AsOf<ApprovalOfCall> | undefined> {
    const match = { $match: { workspace_id, digest } };
    return (await this.#read([match, { $sort: { number: -1 } }, { $limit: 1 }, withoutInput], timed))[0];
  }

  /** The body of a call as it was approved; undefined when the database has deleted the approval. */
  async inputOf({ workspace_id, _id }: ApprovalOfCall, timed: Timed): Promise<string | undefined> {
    const only = { projection: { _id: 0, input: 1 }, ...within(timed) } as const;
    return (await this.#approvals.findOne({ workspace_id, _id }, only))?.input;
  }

  /** An approval that a Member sees; undefined when they see none with this id. */
  async find(member: Membership, _id: string, timed: Timed): Promise<AsOf<StoredApproval> | undefined> {
    return (await this.#read([{ $match: { ...visibleTo(member), _id } }], timed))[0];
  }

  /** The ids among these of the approvals that a Member sees. */
  async visibleAmong(member: Membership, ids: readonly string[], timed: Timed): Promise<string[]> {
    const filter = { ...visibleTo(member), _id: { $in: [...ids] } };
    return (await this.#approvals.find(filter, { projection: { _id: 1 }, ...within(timed) }).toArray()).map(
      ({ _id }) => _id,
    );
  }

  /** The approvals of a Workspace with these ids. */
  async byIds(workspace_id: string, ids: readonly string[], timed: Timed): Promise<ApprovalOfCall[]> {
    const options = { projection: { input: 0 }, ...within(timed) } as const;
    return await this.#approvals.find({ workspace_id, _id: { $in: [...ids] } }, options).toArray();
  }

  /** How the earlier approvals of the same call were decided. */
  async decidedBefore(
    { workspace_id, digest, number }: ApprovalOfCall,
    timed: Timed,
  ): Promise<NonNullable<Approval['before']>> {
    const earlier = { workspace_id, digest, number: { $lt: number } };
    const counts = { $group: { _id: '$decision.verdict', calls: { $sum: 1 } } };
    const found = await this.#approvals
      .aggregate<{ _id: string | null; calls: number }>([{ $match: earlier }, counts], within(timed))
      .toArray();
    const callsOf = (verdict: string) => found.find(({ _id }) => _id === verdict)?.calls ?? 0;
    return { approved: callsOf('approved'), rejected: callsOf('rejected') };
  }

  /** Up to `limit` of the approvals that a Member sees, newest first, from after the one with the id `after`. */
  page(
    member: Membership,
    status: ApprovalStatus | undefined,
    after: string | undefined,
    limit: number,
    timed: Timed,
  ): Promise<AsOf<ApprovalOfCall>[]> {
    const from = after === undefined ? {} : { _id: { $lt: after } };
    const match = { ...visibleTo(member), ...(status && storedAs[status]), ...from };
    return this.#read([{ $match: match }, { $sort: { _id: -1 } }, { $limit: limit }, withoutInput], timed);
  }

  /**
   * Stores a question; false when another call has stored its number, or taken its slots. Throws ActionError `invalid_request` when too
   * many wait.
   *
   * @param now the time of the database.
   */
  async ask(question: Question, now: Date, timed: Timed): Promise<boolean> {
    const slots = await this.#freeSlots(question, now, timed);
    const pending_until = new Date(now.getTime() + this.#limits.APPROVAL_PENDING_SECONDS * 1000);
    const expires_at = new Date(now.getTime() + KEPT_MS);
    const asked = { ...question, ...slots, requested_at: now, pending_until, expires_at };
    return await unlessTaken(this.#approvals.insertOne(asked, within(timed)));
  }

  /** Decides an approval that is pending now; the decided one, or undefined when it is not pending. */
  async decide(
    { workspace_id, _id }: StoredApproval,
    { decision, reason }: Pick<DecisionOnApproval, 'decision' | 'reason'>,
    { _id: { user_id }, epoch }: Membership,
    call: Originated,
  ): Promise<StoredApproval | undefined> {
    const stored = {
      verdict: nextStates.pending[decision],
      at: '$$NOW',
      by: { $literal: user_id },
      epoch,
      ...(reason !== undefined && { reason: { $literal: reason } }),
      valid_until: inSeconds(this.#limits.APPROVAL_VALID_SECONDS),
      origin: { $literal: call.origin },
    };
    const pending = { workspace_id, _id, ...changedBy(decision) };
    const noLonger = { pending_until: '$$REMOVE', slot: '$$REMOVE', caller_slot: '$$REMOVE' };
    return await this.#change(pending, { decision: stored, ...noLonger }, call);
  }

  /** Records the first use of an approval that counts now; undefined when it does not, or was used before. */
  async use({ workspace_id, _id }: ApprovalOfCall, call: Originated): Promise<StoredApproval | undefined> {
    const approved = { workspace_id, _id, ...changedBy('use') };
    const until = inSeconds(this.#limits.APPROVAL_REPEAT_SECONDS);
    const use = { at: '$$NOW', request_id: { $literal: call.origin.request_id }, until };
    return await this.#change(approved, { use }, call);
  }

  /** Ends an approval of a call that has had its effect. */
  async spend(
    _id: string,
    { workspace_id, digest }: Pick<StoredApproval, 'workspace_id' | 'digest'>,
    timed: Timed,
  ) {
    const used = { workspace_id, digest, _id, ...changedBy('spend') };
    await this.#change(used, { 'use.until': '$$NOW' }, timed);
  }

  /** Ends an approval that was not used. */
  async end({ workspace_id, _id }: ApprovalOfCall, timed: Timed): Promise<void> {
    await this.#change({ workspace_id, _id, ...changedBy('invalidate') }, { is_invalidated: true }, timed);
  }

  async #change(
    filter: Filter<StoredApproval>,
    set: Document,
    timed: Timed,
  ): Promise<StoredApproval | undefined> {
    const options = { returnDocument: 'after', ...within(timed) } as const;
    return (await this.#approvals.findOneAndUpdate(filter, [{ $set: set }], options)) ?? undefined;
  }

  /** Free slots among the questions that wait. @throws ActionError `invalid_request` when too many do. */
  async #freeSlots({ workspace_id, user_id, origin }: Question, now: Date, timed: Timed) {
    const { CALLER_PENDING_APPROVALS_MAX, WORKSPACE_PENDING_APPROVALS_MAX } = this.#limits;
    const fields = { slot: 1, caller_slot: 1, user_id: 1, 'origin.grant_id': 1, pending_until: 1 };
    // The database answers both from an index alone: an approval may be half a megabyte.
    const [withSlot, pending] = await Promise.all([
      this.#approvals.countDocuments({ workspace_id, slot: { $gte: 0 } }, { hint: 'slot', ...within(timed) }),
      this.#approvals
        .find(
          { workspace_id, pending_until: { $gt: now } },
          { projection: { _id: 0, ...fields }, hint: 'waiting', ...within(timed) },
        )
        .toArray(),
    ]);
    if (pending.filter(({ slot }) => (slot ?? -1) >= 0).length < withSlot) {
      // The other approvals have lapsed, or the version before has decided them.
      const ended = { workspace_id, slot: { $gte: 0 }, pending_until: { $not: { $gt: now } } };
      await this.#approvals.updateMany(ended, { $unset: { slot: 1, caller_slot: 1 } }, within(timed));
    }
    // An index has null for an absent field.
    const grantId = origin.grant_id ?? null;
    const ofCaller = pending
      .filter((one) => one.user_id === user_id && (one.origin?.grant_id ?? null) === grantId)
      .map(({ caller_slot: slot }) => ({ slot }));
    const caller_slot = freeSlot(ofCaller, CALLER_PENDING_APPROVALS_MAX);
    if (caller_slot === undefined) throw tooMany('This caller', CALLER_PENDING_APPROVALS_MAX);
    const slot = freeSlot(pending, WORKSPACE_PENDING_APPROVALS_MAX);
    if (slot === undefined) throw tooMany('The Workspace', WORKSPACE_PENDING_APPROVALS_MAX);
    return { slot, caller_slot };
  }

  #read(pipeline: object[], timed: Timed): Promise<AsOf<StoredApproval>[]> {
    return this.#approvals
      .aggregate<AsOf<StoredApproval>>([...pipeline, withTimeOfReading], within(timed))
      .toArray();
  }
}

function tooMany(has: string, max: number) {
  return limitReached(`${has} has ${max} calls that wait for an approval`, 'An Owner can decide about them.');
}

const withoutInput = { $unset: 'input' };

/** The approvals that a Member sees: those of their own calls, and those that they may decide; as an Owner, all of the Workspace. */
function visibleTo(member: Membership): Filter<StoredApproval> {
  const { workspace_id, user_id } = member._id;
  if (member.role === 'owner') return { workspace_id };
  return { workspace_id, $or: [{ user_id }, { approvers: memberEpoch(member) }] };
}

function inSeconds(seconds: number): Document {
  return { $add: ['$$NOW', seconds * 1000] };
}
